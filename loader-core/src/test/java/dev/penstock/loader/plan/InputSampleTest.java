package dev.penstock.loader.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.loader.fake.OpenCounts;
import dev.penstock.loader.file.Inputs;
import dev.penstock.sampler.probe.SampleSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** What the sampler's sources share, there being many. */
final class InputSampleTest {
    private static final int FILES = 60;

    @TempDir private Path folder;

    private static String text(int file) {
        return (file + ",a record\n").repeat(2_000);
    }

    private List<String> files(boolean compressed) throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            Path file = folder.resolve("in-" + i + (compressed ? ".gz" : ""));
            try (OutputStream stored = Files.newOutputStream(file);
                    OutputStream out = compressed ? new GZIPOutputStream(stored) : stored) {
                out.write(text(i).getBytes(StandardCharsets.US_ASCII));
            }
            names.add(file.toString());
        }
        return names;
    }

    private static String read(SampleSource source, int position, int length) {
        byte[] bytes = new byte[length];
        int read = source.read(position, bytes, 0, length);
        return new String(bytes, 0, read, StandardCharsets.US_ASCII);
    }

    @Test
    void files_share_one_buffer() throws IOException {
        try (Inputs inputs = Inputs.open(files(false), InputStream.nullInputStream());
                InputSample sample = new InputSample(inputs, new long[FILES])) {
            long before = OpenCounts.directBytes();
            for (int i = 0; i < FILES; i++) {
                assertThat(read(sample.sources().get(i), 100, 500))
                        .isEqualTo(text(i).substring(100, 600));
            }
            assertThat(OpenCounts.directBytes() - before).isLessThan(1 << 20);
        }
    }

    @Test
    void one_compressed_file_is_open_at_a_time_and_any_place_is_read_right() throws IOException {
        List<String> names = files(true);
        try (Inputs inputs = Inputs.open(names, InputStream.nullInputStream())) {
            long before = OpenCounts.filesIn(folder);
            try (InputSample sample = new InputSample(inputs, new long[FILES])) {
                assertThat(OpenCounts.filesIn(folder)).isEqualTo(before);
                for (int i = 0; i < FILES; i++) {
                    SampleSource source = sample.sources().get(i);
                    assertThat(read(source, 0, 500)).isEqualTo(text(i).substring(0, 500));
                    assertThat(read(source, 9_000, 500)).isEqualTo(text(i).substring(9_000, 9_500));
                    assertThat(OpenCounts.filesIn(folder)).isEqualTo(before + 1);
                }
                SampleSource first = sample.sources().getFirst();
                assertThat(read(first, 5_000, 10)).isEqualTo(text(0).substring(5_000, 5_010));
                assertThat(read(first, 5_000, 10)).isEqualTo(text(0).substring(5_000, 5_010));
                assertThat(read(first, 1 << 20, 10)).isEmpty();
            }
            assertThat(OpenCounts.filesIn(folder)).isEqualTo(before);
        }
    }

    @Test
    void a_pipe_is_seen_as_far_as_before() {
        byte[] text = "1,x\n".repeat(2 << 20).getBytes(StandardCharsets.US_ASCII);
        try (Inputs inputs = Inputs.open(List.of("-"), new ByteArrayInputStream(text));
                InputSample sample = new InputSample(inputs, new long[1])) {
            assertThat(sample.sources().getFirst().size()).isEqualTo(InputSample.PIPE_HEAD_BYTES);
        }
    }
}
