package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/** The vector forms against the scalar forms, at every length and start around the lane borders. */
final class ScanKernelsTest {
    private static final long SEED = 20250711L;
    private static final byte[] ALPHABET = {'|', '\n', '\r', '"', 'a', 'b', 'c', (byte) 0xC3, -1};

    private static final long[] SCRATCH = new long[ScanKernels.SCRATCH_WORDS];

    private final Random random = new Random(SEED);

    @Test
    void vectorAndScalarFindTheSameDelimitersAndLineEnds() {
        for (int length = 0; length <= 300; length++) {
            for (int from : new int[] {0, 1, 7, 63, 64}) {
                byte[] text = text(from + length, length % 9 + 1);
                int to = from + length;
                int[] vector = new int[length + 8 + ScanKernels.POSITION_SLACK];
                int[] scalar = new int[length + 8 + ScanKernels.POSITION_SLACK];
                long answer = VectorScan.lines(text, from, to, (byte) '|', vector, 3);
                assertThat((answer & ScanKernels.ALL_ASCII) != 0)
                        .as("ASCII, seed %d, length %d, from %d", SEED, length, from)
                        .isEqualTo(ScalarScan.isAscii(text, from, to));
                long found = answer & ~ScanKernels.ALL_ASCII;
                assertThat(found)
                        .as("seed %d, length %d, from %d", SEED, length, from)
                        .isEqualTo(
                                ScalarScan.lines(text, from, to, (byte) '|', scalar, 3, SCRATCH));
                assertThat(Arrays.copyOfRange(vector, 3, (int) found))
                        .isEqualTo(Arrays.copyOfRange(scalar, 3, (int) found));
                found = VectorScan.anyLines(text, from, to, (byte) '|', vector, 3);
                assertThat(found)
                        .as("any newline, seed %d, length %d, from %d", SEED, length, from)
                        .isEqualTo(
                                ScalarScan.anyLines(
                                        text, from, to, (byte) '|', scalar, 3, 0, false));
                assertThat(Arrays.copyOfRange(vector, 3, (int) found))
                        .isEqualTo(Arrays.copyOfRange(scalar, 3, (int) found));
            }
        }
    }

    @Test
    void vectorAndScalarMakeTheSameMasksAndPositions() {
        for (int length = 0; length <= 300; length++) {
            byte[] text = text(length, length % 9 + 1);
            int blocks = (length + 63) / 64;
            long[] vector = new long[blocks + ScanKernels.MASK_SLACK];
            long[] scalar = new long[blocks + ScanKernels.MASK_SLACK];
            int any = VectorScan.masks(text, 0, length, (byte) '"', vector);
            assertThat(any).isEqualTo(ScalarScan.masks(text, 0, length, (byte) '"', scalar));
            assertThat(Arrays.copyOf(vector, blocks)).isEqualTo(Arrays.copyOf(scalar, blocks));
            int lines = VectorScan.fieldEnds(text, 0, length, (byte) '|', vector);
            assertThat(ScalarScan.fieldEnds(text, 0, length, (byte) '|', scalar)).isEqualTo(lines);
            assertThat(Arrays.copyOf(vector, blocks)).isEqualTo(Arrays.copyOf(scalar, blocks));
            int[] vectorPositions = new int[length + ScanKernels.POSITION_SLACK];
            int[] scalarPositions = new int[length + ScanKernels.POSITION_SLACK];
            int count = VectorScan.positions(vector, blocks, 5, vectorPositions, 0);
            assertThat(count)
                    .isEqualTo(ScalarScan.positions(scalar, blocks, 5, scalarPositions, 0));
            assertThat(Arrays.copyOf(vectorPositions, count))
                    .isEqualTo(Arrays.copyOf(scalarPositions, count));
        }
    }

    @Test
    void vectorAndScalarFindTheSameFirstByteAndTheSameHighBits() {
        for (int length = 0; length <= 300; length++) {
            byte[] text = new byte[length + 3];
            Arrays.fill(text, (byte) 'x');
            if (length > 0) {
                text[random.nextInt(length) + 1] = (byte) (random.nextBoolean() ? '"' : 0xE4);
            }
            int to = length + 1;
            assertThat(VectorScan.indexOf(text, 1, to, (byte) '"'))
                    .isEqualTo(ScalarScan.indexOf(text, 1, to, (byte) '"'));
            assertThat(VectorScan.isAscii(text, 1, to)).isEqualTo(ScalarScan.isAscii(text, 1, to));
        }
    }

    /** Whatever lies before and behind, and whichever bytes are alike but for a bit. */
    @Test
    void aByteIsFoundWhereItIsAndNowhereElse() {
        for (int round = 0; round < 20_000; round++) {
            byte wanted = (byte) (random.nextBoolean() ? '"' : random.nextInt());
            int from = random.nextInt(10);
            int to = from + random.nextInt(round % 10 == 0 ? 150 : 30);
            byte[] text = new byte[to + 8];
            for (int i = 0; i < text.length; i++) {
                int kind = random.nextInt(3);
                text[i] = (byte) (kind == 0 ? wanted + 1 : kind == 1 ? wanted ^ 0x80 : 0);
            }
            boolean there = random.nextBoolean() && to > from;
            for (int i = 0; i < text.length; i++) {
                boolean inside = i >= from && i < to;
                text[i] = inside && text[i] == wanted ? (byte) ~wanted : text[i];
                text[i] = !inside && random.nextInt(3) == 0 ? wanted : text[i];
            }
            int place = there ? from + random.nextInt(to - from) : to;
            if (there) {
                text[place] = wanted;
            }
            assertThat(ScalarScan.indexOf(text, from, to, wanted))
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(place);
            assertThat(VectorScan.indexOf(text, from, to, wanted))
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(place);
        }
    }

    @Test
    void masksOfRareAndOfManyBytesAreTheSame() {
        byte[] text = new byte[30_000];
        for (int round = 0; round < 20; round++) {
            Arrays.fill(text, (byte) 'x');
            int many = random.nextInt(text.length);
            for (int i = 0; i < text.length; i++) {
                if (random.nextInt(i < many ? 400 : 4) == 0) {
                    text[i] = '"';
                }
            }
            long[] scalar = new long[text.length / 64 + 1 + ScanKernels.MASK_SLACK];
            long[] vector = new long[text.length / 64 + 1 + ScanKernels.MASK_SLACK];
            int found = ScalarScan.masks(text, 0, text.length, (byte) '"', scalar);
            int expected = 0;
            for (int i = 0; i < text.length; i++) {
                expected += text[i] == '"' ? 1 : 0;
                assertThat(scalar[i >> 6] >>> i & 1).isEqualTo(text[i] == '"' ? 1 : 0);
            }
            assertThat(found).as("seed %d, round %d", SEED, round).isEqualTo(expected);
            assertThat(VectorScan.masks(text, 0, text.length, (byte) '"', vector))
                    .isEqualTo(expected);
        }
    }

    @Test
    void blocksFullOfDelimitersAreFoundCompletely() {
        byte[] text = new byte[640];
        Arrays.fill(text, (byte) '|');
        int[] out = new int[640 + ScanKernels.POSITION_SLACK];
        assertThat(VectorScan.lines(text, 0, 640, (byte) '|', out, 0))
                .isEqualTo(640 | ScanKernels.ALL_ASCII);
        for (int i = 0; i < 640; i++) {
            assertThat(out[i]).isEqualTo(i);
        }
    }

    /** A byte counts the line ends of its place in many words, and must not overflow. */
    @Test
    void textFullOfLineEndsIsCountedCompletely() {
        for (int length : new int[] {64, 1024, 4096, 12_288, 20_000}) {
            byte[] text = new byte[length];
            Arrays.fill(text, (byte) '\n');
            int[] out = new int[length + ScanKernels.POSITION_SLACK];
            long found = ScalarScan.lines(text, 0, length, (byte) '|', out, 0, SCRATCH);
            assertThat(found).isEqualTo((long) length << 32 | length);
            long[] words = new long[(length + 63) / 64 + ScanKernels.MASK_SLACK];
            assertThat(ScalarScan.fieldEnds(text, 0, length, (byte) '|', words)).isEqualTo(length);
            assertThat(ScalarScan.masks(text, 0, length, (byte) '\n', words)).isEqualTo(length);
        }
    }

    @Test
    void textOfManyStretchesIsScannedToItsEnd() {
        for (int length : new int[] {4095, 4096, 4097, 8191, 8192, 8256, 10_000}) {
            byte[] text = text(length, 9);
            int[] vector = new int[length + ScanKernels.POSITION_SLACK];
            int[] scalar = new int[length + ScanKernels.POSITION_SLACK];
            long found = VectorScan.lines(text, 0, length, (byte) '|', vector, 0);
            assertThat(ScalarScan.lines(text, 0, length, (byte) '|', scalar, 0, SCRATCH))
                    .as("seed %d, length %d", SEED, length)
                    .isEqualTo(found);
            assertThat(Arrays.copyOf(scalar, (int) found))
                    .isEqualTo(Arrays.copyOf(vector, (int) found));
            long[] masks = new long[(length + 63) / 64 + ScanKernels.MASK_SLACK];
            ScalarScan.masks(text, 0, length, (byte) '"', masks);
            int lines = 0;
            long[] ends = new long[(length + 63) / 64 + ScanKernels.MASK_SLACK];
            int counted = ScalarScan.fieldEnds(text, 0, length, (byte) '|', ends);
            for (int i = 0; i < length; i++) {
                boolean isEnd = text[i] == '|' || text[i] == '\n';
                lines += text[i] == '\n' ? 1 : 0;
                assertThat(masks[i >> 6] >>> i & 1).isEqualTo(text[i] == '"' ? 1 : 0);
                assertThat(ends[i >> 6] >>> i & 1).isEqualTo(isEnd ? 1 : 0);
            }
            assertThat(counted).isEqualTo(lines);
        }
    }

    @Test
    void aByteThatIsNoAsciiIsNoticedAnywhere() {
        byte[] text = new byte[200];
        Arrays.fill(text, (byte) 'x');
        int[] out = new int[3 + ScanKernels.POSITION_SLACK];
        for (int at = 0; at < text.length; at++) {
            text[at] = (byte) 0x80;
            long found = VectorScan.lines(text, 7, 190, (byte) '|', out, 0);
            boolean within = at >= 7 && at < 190;
            assertThat(found).as("byte %d", at).isEqualTo(within ? 0 : ScanKernels.ALL_ASCII);
            text[at] = 'x';
        }
    }

    @Test
    void positionsOfRowsBecomeThoseOfColumns() {
        for (int count = 0; count <= 70; count++) {
            int stride = 1 + random.nextInt(40);
            int[] positions = random.ints(stride * count + ScanKernels.POSITION_SLACK).toArray();
            for (int first = 0; first <= stride; first++) {
                int[][] columns = new int[16][count];
                VectorColumns.columns(positions, first, stride, count, columns, first);
                for (int k = 0; k < ScanKernels.COLUMNS; k++) {
                    int[] single = new int[count];
                    ScanKernels.column(positions, first + k, stride, count, single);
                    for (int i = 0; i < count; i++) {
                        assertThat(single[i]).isEqualTo(positions[first + k + i * stride]);
                    }
                    assertThat(columns[first + k & 15])
                            .as("seed %d, column %d of %d rows", SEED, first + k, count)
                            .isEqualTo(single);
                }
            }
        }
    }

    @Test
    void emptyFieldsAreMarked() {
        for (int count = 0; count <= 200; count++) {
            int[] before = new int[count];
            int[] end = new int[count];
            for (int i = 0; i < count; i++) {
                before[i] = random.nextInt(1000);
                boolean empty = count % 3 > 0 && random.nextInt(count % 3 * 20) == 0;
                end[i] = before[i] + (empty ? 1 : 2 + random.nextInt(300));
            }
            int words = (count + 63) / 64;
            byte[] scratch = new byte[64 * words];
            Arrays.fill(scratch, (byte) 1);
            long[] out = new long[words];
            Arrays.fill(out, -1);
            ScanKernels.empties(before, end, count, new int[count], scratch, out);
            for (int i = 0; i < 64 * words; i++) {
                boolean empty = i < count && end[i] == before[i] + 1;
                assertThat(out[i >> 6] >>> i & 1)
                        .as("seed %d, %d of %d", SEED, i, count)
                        .isEqualTo(empty ? 1 : 0);
            }
        }
    }

    @Test
    void theWidestFormIsChosenUnlessANarrowerOneIsNamed() {
        assertThat(KernelSelection.choose(512, "")).isEqualTo("vector-512");
        assertThat(KernelSelection.choose(512, "vector-256")).isEqualTo("vector-256");
        assertThat(KernelSelection.choose(512, "scalar")).isEqualTo("scalar");
        assertThat(KernelSelection.choose(256, "")).isEqualTo("vector-256");
        assertThat(KernelSelection.choose(256, "vector-512")).isEqualTo("vector-256");
        assertThat(KernelSelection.choose(128, "")).isEqualTo("scalar");
        assertThat(KernelSelection.choose(0, "vector-512")).isEqualTo("scalar");
        assertThat(KernelSelection.chosen()).isIn("vector-512", "vector-256", "scalar");
    }

    private byte[] text(int length, int variety) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = ALPHABET[random.nextInt(variety)];
        }
        return text;
    }
}
