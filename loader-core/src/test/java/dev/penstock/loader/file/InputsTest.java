package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.fake.OpenCounts;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Inputs that are more than may be open, or have a buffer each, at the same time. */
final class InputsTest {
    private static final int FILES = 300;
    private static final int THREADS = 4;
    private static final long FEW_DIRECT_BYTES = 8 << 20;

    @TempDir private Path folder;

    private static String text(int file) {
        return (file + ",a record\n").repeat(50);
    }

    private Inputs open(int count) throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(Files.writeString(folder.resolve("in-" + i), text(i)).toString());
        }
        return Inputs.open(names, InputStream.nullInputStream());
    }

    private static String read(Inputs inputs, PositionalReader reader, int file, int position) {
        byte[] bytes = new byte[1 << 10];
        int length = inputs.text(file).read(reader, position, bytes, 0, bytes.length);
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    @Test
    void many_files_are_read_by_threads_in_any_order_while_few_are_open() throws Exception {
        try (Inputs inputs = open(FILES);
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            assertThat(OpenCounts.filesIn(folder)).isEqualTo(OpenFiles.MOST_OPEN);
            List<Future<?>> readings = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                readings.add(threads.submit(() -> readAnywhere(inputs, random)));
            }
            for (Future<?> reading : readings) {
                reading.get();
            }
            assertThat(OpenCounts.filesIn(folder)).isBetween(1L, OpenFiles.MOST_OPEN + 4L);
        }
        assertThat(OpenCounts.filesIn(folder)).isZero();
    }

    private static void readAnywhere(Inputs inputs, SplittableRandom random) {
        PositionalReader reader = new PositionalReader();
        for (int i = 0; i < 2_000; i++) {
            int file = random.nextInt(FILES);
            int position = random.nextInt(text(file).length());
            assertThat(read(inputs, reader, file, position))
                    .isEqualTo(text(file).substring(position));
        }
    }

    @Test
    void a_file_that_is_cut_while_it_is_read_is_not_taken_for_a_shorter_one() throws IOException {
        try (Inputs inputs = open(1)) {
            Path file = folder.resolve("in-0");
            long size = Files.size(file);
            Files.writeString(file, text(0).substring(0, 220));
            PositionalReader reader = new PositionalReader();
            byte[] bytes = new byte[100];
            assertThat(inputs.text(0).read(reader, 100, bytes, 0, 100)).isEqualTo(100);
            assertThatThrownBy(() -> inputs.text(0).read(reader, 200, bytes, 0, 100))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.IO))
                    .hasMessageContaining("became shorter")
                    .hasMessageContaining("ends at byte 220")
                    .hasMessageContaining(size + " bytes");
            assertThatThrownBy(() -> inputs.text(0).read(reader, 300, bytes, 0, 1))
                    .hasMessageContaining("became shorter")
                    .hasMessageContaining("ends at or before byte 300");
        }
    }

    @Test
    void what_is_added_to_a_file_after_the_load_has_begun_is_not_read() throws IOException {
        try (Inputs inputs = open(1)) {
            Files.writeString(folder.resolve("in-0"), "0,more\n", StandardOpenOption.APPEND);
            PositionalReader reader = new PositionalReader();
            assertThat(read(inputs, reader, 0, 0)).isEqualTo(text(0));
            assertThat(read(inputs, reader, 0, text(0).length())).isEmpty();
        }
    }

    @Test
    void a_file_that_another_one_has_replaced_is_not_read_on() throws IOException {
        try (Inputs inputs = open(OpenFiles.MOST_OPEN + 1)) {
            Path other = Files.writeString(folder.resolve("other"), text(0));
            Files.move(other, folder.resolve("in-0"), StandardCopyOption.REPLACE_EXISTING);
            for (int times = 0; times < 2; times++) {
                assertThatThrownBy(() -> read(inputs, new PositionalReader(), 0, 0))
                        .isInstanceOfSatisfying(
                                PenstockException.class,
                                e -> assertThat(e.category()).isEqualTo(ErrorCategory.DATA))
                        .hasMessageContaining("in-0 was replaced by another file")
                        .hasMessageContaining("load it again");
            }
            assertThat(read(inputs, new PositionalReader(), 1, 0)).isEqualTo(text(1));
        }
    }

    @Test
    void a_compressed_file_that_another_one_has_replaced_is_not_opened_again() throws IOException {
        Path file = compressed("in.gz", text(0));
        try (Inputs inputs = Inputs.open(List.of(file.toString()), InputStream.nullInputStream())) {
            assertThat(inputs.head(0, 5)).hasSize(5);
            Files.move(compressed("other", text(1)), file, StandardCopyOption.REPLACE_EXISTING);
            for (ThrowingCallable reading :
                    List.<ThrowingCallable>of(
                            () -> inputs.head(0, 5), () -> inputs.stream(0).close())) {
                assertThatThrownBy(reading)
                        .isInstanceOfSatisfying(
                                PenstockException.class,
                                e -> assertThat(e.category()).isEqualTo(ErrorCategory.DATA))
                        .hasMessageContaining("in.gz was replaced by another file");
            }
        }
        assertThat(OpenCounts.filesIn(folder)).isZero();
    }

    /** Its rows would be there twice, or the load would fail for keys that the file has once. */
    @Test
    void a_file_is_taken_once_whatever_it_is_called() throws IOException {
        Path file = Files.writeString(folder.resolve("in.csv"), "1,one\n");
        Path symbolic = Files.createSymbolicLink(folder.resolve("symbolic.csv"), file);
        Path hard = Files.createLink(folder.resolve("hard.csv"), file);
        Path around = folder.resolve("..").resolve(folder.getFileName()).resolve("in.csv");
        for (Path other : List.of(symbolic, hard, around)) {
            assertTwice(other + " is the same file as " + file, "it once", file, other);
        }
        assertTwice(file + " is named twice", "it once", file, file);
        Files.delete(hard);
        String same = symbolic + " is the same file as " + file;
        assertTwice(same, "it once", folder.resolve("i*.csv"), symbolic);
        assertTwice(file + " is named twice", "it once", folder.resolve("i*.csv"), file);
        assertTwice(same, "the files instead of the folder", folder);
        assertTwice(same, "the files instead of the pattern", folder.resolve("*.csv"));
        assertThat(OpenCounts.filesIn(folder)).isZero();
    }

    private static void assertTwice(String said, String rather, Path... words) {
        List<String> names = Stream.of(words).map(Path::toString).toList();
        assertThatThrownBy(() -> Inputs.open(names, InputStream.nullInputStream()))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessage(said + ", so its rows would be loaded twice; name " + rather + ".");
    }

    @Test
    void files_with_the_same_bytes_are_others() throws IOException {
        Path one = Files.writeString(folder.resolve("one.csv"), "1,one\n");
        Path two = Files.copy(one, folder.resolve("two.csv"), StandardCopyOption.COPY_ATTRIBUTES);
        List<String> names = List.of(one.toString(), two.toString());
        try (Inputs inputs = Inputs.open(names, InputStream.nullInputStream())) {
            assertThat(inputs.count()).isEqualTo(2);
        }
    }

    private Path compressed(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    @Test
    void nothing_is_opened_after_closing() throws IOException {
        Inputs inputs = open(OpenFiles.MOST_OPEN + 1);
        inputs.close();
        assertThatThrownBy(() -> read(inputs, new PositionalReader(), 0, 0))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.IO));
        assertThat(OpenCounts.filesIn(folder)).isZero();
    }

    @Test
    void many_files_are_looked_at_and_cut_with_few_buffers() throws IOException {
        long before = OpenCounts.directBytes();
        try (Inputs inputs = open(FILES)) {
            assertThat(OpenCounts.directBytes() - before).isLessThan(FEW_DIRECT_BYTES);
            Fingerprint fingerprint = new Fingerprint(inputs);
            assertThat(inputs.files().stream().map(fingerprint::ofEdges).distinct()).hasSize(FILES);
            assertThat(OpenCounts.directBytes() - before).isLessThan(FEW_DIRECT_BYTES);
            ChunkSupply chunks = new ChunkSupply(inputs, Dialect.csv(), new long[FILES], 1 << 16);
            Chunk chunk = new Chunk();
            ChunkReader reader = new ChunkReader();
            int cut = 0;
            while (chunks.next(chunk, reader)) {
                assertThat(chunk.length()).isEqualTo(text(cut).length());
                cut++;
            }
            assertThat(cut).isEqualTo(FILES);
            assertThat(OpenCounts.directBytes() - before).isLessThan(FEW_DIRECT_BYTES);
        }
    }
}
