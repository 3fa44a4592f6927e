package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/**
 * Row by row, for rows that begin at any bit: words that are full, empty and mixed, and nothing
 * outside of the range is touched.
 */
class NullGapsTest {
    private static final int ROUNDS = 4000;

    private final Random random = new Random(29);
    private int from;
    private int count;
    private int firstBit;
    private long[] validity = new long[0];

    @Test
    void closesAndOpensGapsOfInts() {
        for (int round = 0; round < ROUNDS; round++) {
            next();
            int[] rows = random.ints(from + count + 3).toArray();
            int valued = BitRange.count(validity, firstBit, count);
            int[] values = random.ints(from + count + 3).toArray();
            int at = random.nextInt(from + 1);
            int[] closed = values.clone();
            int next = at;
            for (int i = 0; i < count; i++) {
                if (isValid(i)) {
                    closed[next++] = rows[from + i];
                }
            }
            int[] inPlace = rows.clone();
            NullGaps.close(rows, from, count, validity, firstBit, values, at);
            assertThat(values).isEqualTo(closed);
            NullGaps.close(inPlace, from, count, validity, firstBit, inPlace, from);
            assertThat(Arrays.equals(inPlace, 0, from, rows, 0, from)).isTrue();
            for (int i = 0; i < valued; i++) {
                assertThat(inPlace[from + i]).isEqualTo(closed[at + i]);
            }

            int[] opened = rows.clone();
            System.arraycopy(closed, at, opened, from + count - valued, valued);
            for (int i = 0; i < count; i++) {
                rows[from + i] = isValid(i) ? rows[from + i] : -round;
            }
            NullGaps.open(opened, from, count, valued, validity, firstBit, -round);
            assertThat(opened).isEqualTo(rows);
        }
    }

    @Test
    void closesAndOpensGapsOfLongs() {
        for (int round = 0; round < ROUNDS; round++) {
            next();
            long[] rows = random.longs(from + count + 3).toArray();
            int valued = BitRange.count(validity, firstBit, count);
            long[] closed = random.longs(valued + 2).toArray();
            long[] expected = closed.clone();
            int next = 1;
            for (int i = 0; i < count; i++) {
                if (isValid(i)) {
                    expected[next++] = rows[from + i];
                }
            }
            NullGaps.close(rows, from, count, validity, firstBit, closed, 1);
            assertThat(closed).isEqualTo(expected);

            long[] opened = rows.clone();
            System.arraycopy(closed, 1, opened, from + count - valued, valued);
            for (int i = 0; i < count; i++) {
                rows[from + i] = isValid(i) ? rows[from + i] : Long.MIN_VALUE + round;
            }
            long filler = Long.MIN_VALUE + round;
            NullGaps.open(opened, from, count, valued, validity, firstBit, filler);
            assertThat(opened).isEqualTo(rows);
        }
    }

    @Test
    void nullsEndWhereTheRowBeforeDoes() {
        for (int round = 0; round < ROUNDS; round++) {
            next();
            from++;
            int[] ends = random.ints(from + count + 3).toArray();
            int[] expected = ends.clone();
            int valued = BitRange.count(validity, firstBit, count);
            int next = from + count - valued;
            for (int i = 0; i < count; i++) {
                expected[from + i] = isValid(i) ? ends[next++] : expected[from + i - 1];
            }
            NullGaps.openEnds(ends, from, count, valued, validity, firstBit);
            assertThat(ends).isEqualTo(expected);
        }
    }

    @Test
    void closesAndOpensGapsOfBits() {
        for (int round = 0; round < ROUNDS; round++) {
            next();
            firstBit = 0;
            int words = (count + 63) >> 6;
            long[] rows = random.longs(words + 1).toArray();
            long[] closed = random.longs(words + 1).toArray();
            NullGaps.closeBits(rows, count, validity, closed);
            int next = 0;
            for (int i = 0; i < count; i++) {
                if (isValid(i)) {
                    assertThat(bit(closed, next++)).isEqualTo(bit(rows, i));
                }
            }
            if ((next & 63) != 0) {
                assertThat(closed[next >> 6] >>> next).isZero();
            }

            long[] opened = random.longs(words + 1).toArray();
            NullGaps.openBits(closed, count, validity, opened);
            for (int i = 0; i < words << 6; i++) {
                boolean set = i < count && isValid(i) && bit(rows, i);
                assertThat(bit(opened, i)).isEqualTo(set);
            }
        }
    }

    /** Rows, of words that are mixed, all valid and all NULL. */
    private void next() {
        from = random.nextInt(70);
        count = random.nextInt(300);
        firstBit = random.nextInt(130);
        validity = new long[(firstBit + count + 63) / 64 + 1];
        int density = random.nextInt(4);
        for (int i = 0; i < validity.length; i++) {
            validity[i] =
                    switch (density == 3 ? random.nextInt(3) : density) {
                        case 0 -> -1;
                        case 1 -> random.nextLong();
                        default -> random.nextInt(4);
                    };
        }
    }

    private boolean isValid(int row) {
        return bit(validity, firstBit + row);
    }

    private static boolean bit(long[] words, int index) {
        return (words[index >> 6] >>> index & 1) != 0;
    }
}
