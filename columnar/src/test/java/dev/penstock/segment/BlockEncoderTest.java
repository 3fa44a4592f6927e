package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.ByteStrings;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/** What is found the short way is what the long way finds. */
class BlockEncoderTest {
    private static final int[] ROWS = {1, 2, 63, 64, 65, 127, 128, 1000, 8192};

    private final Random random = new Random(23);
    private final BlockEncoder encoder = new BlockEncoder();

    @Test
    void codesThatAllOccurMakeTheSameBlockAsAnyCodes() {
        for (int rows : ROWS) {
            for (int nullsOfTen : new int[] {0, 1, 9}) {
                int first = random.nextInt(70);
                long[] words = nullsOfTen == 0 ? new long[0] : validity(first + rows, nullsOfTen);
                int size = 1 + random.nextInt(20);
                int[] codes = new int[rows];
                int next = 0;
                for (int row = 0; row < rows; row++) {
                    codes[row] = isValid(words, first + row) ? next++ % size : size / 2;
                }
                int occurring = Math.min(next, size);
                if (occurring < size) {
                    continue;
                }
                ByteBuilder expected = new ByteBuilder(64);
                ByteBuilder actual = new ByteBuilder(64);
                int bits = BitPacking.bitsFor(size - 1L);
                EncodedBlock any = encoder.codes(codes, 0, rows, words, first, bits, expected);
                EncodedBlock all = encoder.allCodes(codes, rows, words, first, size, actual);
                assertThat(all).isEqualTo(any);
                assertThat(actual.toByteArray()).isEqualTo(expected.toByteArray());
            }
        }
    }

    @Test
    void anyNumbersHaveTheirRangeAndComeBack() {
        long[][] corners = {
            {0, Integer.MAX_VALUE},
            {0, 1L << 31},
            {0, (1L << 32) - 1},
            {Integer.MIN_VALUE, Integer.MAX_VALUE},
            {Long.MAX_VALUE - 5, Long.MAX_VALUE},
            {Long.MIN_VALUE, Long.MIN_VALUE + 9},
            {Long.MIN_VALUE, Long.MAX_VALUE},
            {7, 7}
        };
        for (int rows : ROWS) {
            for (int nullsOfTen : new int[] {0, 1, 9, 10}) {
                for (long[] corner : corners) {
                    comesBack(numbers(rows, corner), rows, nullsOfTen);
                }
            }
        }
    }

    /** The corners and what lies between, but not farther from one of them than an int goes. */
    private long[] numbers(int rows, long[] corner) {
        long[] values = new long[rows];
        for (int row = 0; row < rows; row++) {
            long from = corner[random.nextInt(2)];
            long near = from + (random.nextBoolean() ? 0 : random.nextInt());
            values[row] = near < corner[0] || near > corner[1] ? from : near;
        }
        return values;
    }

    private void comesBack(long[] values, int rows, int nullsOfTen) {
        long[] words = nullsOfTen == 0 ? new long[0] : validity(rows, nullsOfTen);
        ByteBuilder out = new ByteBuilder(64);
        EncodedBlock block = encoder.longs(values, 0, rows, words, 0, 8, true, out);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        long[] back = new long[rows];
        BlockCursor cursor = new BlockCursor();
        cursor.openEncoded(block, rows, out.toByteArray(), 0);
        cursor.longs(0, rows, back, 0);
        for (int row = 0; row < rows; row++) {
            if (isValid(words, row)) {
                low = Math.min(low, values[row]);
                high = Math.max(high, values[row]);
                assertThat(back[row]).isEqualTo(values[row]);
            }
        }
        assertThat(block.min()).isEqualTo(low);
        assertThat(block.max()).isEqualTo(high);
    }

    @Test
    void headsOfABlockAreThoseOfItsValues() {
        for (int rows : ROWS) {
            for (int nullsOfTen : new int[] {0, 1, 9, 10}) {
                int first = random.nextInt(70);
                BytesColumn column = strings(first + rows);
                long[] words = nullsOfTen == 0 ? new long[0] : validity(first + rows, nullsOfTen);
                long low = Long.MAX_VALUE;
                long high = Long.MIN_VALUE;
                for (int row = first; row < first + rows; row++) {
                    if (isValid(words, row)) {
                        byte[] value = column.get(row);
                        long head = ByteStrings.orderedHead(value, 0, value.length);
                        low = Math.min(low, head);
                        high = Math.max(high, head);
                    }
                }
                int end = column.offsets()[first + rows];
                byte[] exact = Arrays.copyOf(column.data(), end);
                EncodedBlock block =
                        encoder.bytes(
                                column.offsets(),
                                exact,
                                first,
                                rows,
                                words,
                                first,
                                false,
                                new ByteBuilder(64));
                assertThat(block.min()).isEqualTo(low);
                assertThat(block.max()).isEqualTo(high);
            }
        }
    }

    private BytesColumn strings(int rows) {
        BytesColumn column = new BytesColumn(rows, 64);
        for (int row = 0; row < rows; row++) {
            byte[] value = new byte[random.nextInt(12)];
            random.nextBytes(value);
            column.append(row, value, 0, value.length);
        }
        return column;
    }

    private long[] validity(int rows, int nullsOfTen) {
        long[] words = new long[(rows + 63) / 64];
        for (int row = 0; row < rows; row++) {
            if (random.nextInt(10) >= nullsOfTen) {
                words[row >> 6] |= 1L << row;
            }
        }
        return words;
    }

    private static boolean isValid(long[] words, int row) {
        return words.length == 0 || (words[row >> 6] >>> row & 1) != 0;
    }
}
