package dev.penstock.loader.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dialect.Dialect;
import dev.penstock.loader.fake.OpenCounts;
import dev.penstock.loader.file.Inputs;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

class LineFinderTest {
    @TempDir Path folder;

    private static Reject at(int source, long position) {
        return new Reject(
                RejectReason.BAD_VALUE,
                source,
                position,
                Reject.LINE_UNKNOWN,
                "",
                "",
                "",
                new byte[0]);
    }

    @Test
    void lineFeedsAreCountedAsOneByOne() {
        SplittableRandom random = new SplittableRandom(3);
        byte[] text = new byte[3_000];
        for (int i = 0; i < text.length; i++) {
            int kind = random.nextInt(4);
            text[i] = (byte) (kind == 0 ? '\n' : kind == 1 ? 0x8A : random.nextInt(256));
        }
        for (int from = 0; from < 40; from++) {
            for (int to = from; to < from + 60; to++) {
                int expected = 0;
                for (int i = from; i < to; i++) {
                    expected += text[i] == '\n' ? 1 : 0;
                }
                assertThat(LineFinder.countLineFeeds(text, from, to)).isEqualTo(expected);
            }
        }
    }

    @Test
    void linesOfFilesAreFoundInAnyOrderAndInAnyNewline() throws IOException {
        Path unix = Files.writeString(folder.resolve("a"), "one\ntwo\r\nthree\nfour");
        Path mac = Files.writeString(folder.resolve("b"), "one\rtwo\r\nthree\nfour");
        for (Dialect.Newline newline : Dialect.Newline.values()) {
            Path file = newline == Dialect.Newline.LF ? unix : mac;
            try (Inputs inputs =
                            Inputs.open(
                                    List.of(file.toString()),
                                    ByteArrayInputStream.nullInputStream());
                    LineFinder lines =
                            new LineFinder(
                                    inputs, Dialect.csv().withNewline(newline), new long[1])) {
                assertThat(lines.lineOf(at(0, 15), 0)).isEqualTo(4);
                assertThat(lines.lineOf(at(0, 0), 0)).isEqualTo(1);
                assertThat(lines.lineOf(at(0, 4), 0)).isEqualTo(2);
                assertThat(lines.lineOf(at(0, 9), 0)).isEqualTo(3);
                assertThat(lines.lineOf(at(7, 9), 0)).isEqualTo(Reject.LINE_UNKNOWN);
            }
        }
    }

    @Test
    void linesOfManyFilesAreFoundWithOneOfThemOpenAndInAnyOrder() throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String text = "x\n".repeat(i) + "the first\n" + "y\n".repeat(i) + "the second\n";
            names.add(Files.writeString(folder.resolve("in-" + i), text).toString());
        }
        try (Inputs inputs = Inputs.open(names, ByteArrayInputStream.nullInputStream())) {
            long before = OpenCounts.filesIn(folder);
            try (LineFinder lines = new LineFinder(inputs, Dialect.csv(), new long[30])) {
                for (int i = 0; i < 30; i++) {
                    assertThat(lines.lineAt(i, 2L * i)).isEqualTo(i + 1);
                    assertThat(lines.lineAt(i, 4L * i + 10)).isEqualTo(2 * i + 2);
                    assertThat(OpenCounts.filesIn(folder)).isLessThanOrEqualTo(before + 1);
                }
                for (int i = 0; i < 30; i += 7) {
                    assertThat(lines.lineAt(29 - i, 4L * (29 - i) + 10))
                            .isEqualTo(2 * (29 - i) + 2);
                    assertThat(lines.lineAt(i, 4L * i + 10)).isEqualTo(2 * i + 2);
                    assertThat(lines.lineAt(i, 2L * i)).isEqualTo(i + 1);
                }
            }
            assertThat(OpenCounts.filesIn(folder)).isEqualTo(before);
        }
    }

    @Test
    void linesOfAPipeAddUpInWhateverOrderTheyAreAskedFor() {
        SplittableRandom random = new SplittableRandom(8);
        try (Inputs inputs =
                        Inputs.open(
                                List.of("-"),
                                new ByteArrayInputStream("x".getBytes(StandardCharsets.UTF_8)));
                LineFinder lines = new LineFinder(inputs, Dialect.csv(), new long[] {1})) {
            long[] counts = new long[200];
            for (int round = 0; round < 2_000; round++) {
                int chunk = random.nextInt(counts.length);
                if (random.nextInt(10) == 0 && counts[chunk] == 0) {
                    counts[chunk] = 1L + random.nextInt(1_000);
                    lines.addPipeChunk(chunk, 0, counts[chunk]);
                }
                int asked = random.nextInt(counts.length);
                long before = Arrays.stream(counts, 0, asked).sum();
                assertThat(lines.lineOf(at(0, 5).withLine(3), asked)).isEqualTo(4 + before);
                assertThat(lines.lineOf(at(0, 5).withLine(9), asked)).isEqualTo(10 + before);
            }
        }
    }

    @Test
    void linesOfAPipeAddUpFromTheChunksBefore() {
        try (Inputs inputs =
                        Inputs.open(
                                List.of("-"),
                                new ByteArrayInputStream("x".getBytes(StandardCharsets.UTF_8)));
                LineFinder lines = new LineFinder(inputs, Dialect.csv(), new long[] {1})) {
            lines.addPipeChunk(1, 0, 50);
            lines.addPipeChunk(0, 0, 100);
            assertThat(lines.lineOf(at(0, 5).withLine(7), 0)).isEqualTo(8);
            assertThat(lines.lineOf(at(0, 5).withLine(7), 2)).isEqualTo(158);
            assertThat(lines.lineOf(at(0, 5), 1)).isEqualTo(Reject.LINE_UNKNOWN);
        }
    }
}
