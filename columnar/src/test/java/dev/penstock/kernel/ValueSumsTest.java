package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

class ValueSumsTest {
    private static final int[] COUNTS = {0, 1, 7, 8, 9, 511, 512, 513, 1023, 1024, 1025, 3000};

    private final Random random = new Random(311);

    @Test
    void sumsOfLongsAreThoseOfTheirHashesAtEveryBorder() {
        long[] values = random.longs(5000).toArray();
        int[] order = shuffled(5000);
        for (int count : COUNTS) {
            for (int from : new int[] {0, 1, 5, 64, 511}) {
                long expected = 0;
                long inOrder = 0;
                for (int i = from; i < from + count; i++) {
                    expected += ValueSums.hash(values[i]);
                    inOrder += ValueSums.hash(values[order[i]]);
                }
                assertThat(ValueSums.ofLongs(values, from, count)).isEqualTo(expected);
                assertThat(ValueSums.ofLongs(values, order, from, count)).isEqualTo(inOrder);
            }
        }
    }

    @Test
    void sumsOfByteStringsAreThoseOfTheirHashesAtEveryBorder() {
        for (int longest : new int[] {0, 1, 8, 17, 48, 130}) {
            for (int shortest : new int[] {0, longest}) {
                checkStrings(shortest, longest);
            }
        }
    }

    private void checkStrings(int shortest, int longest) {
        int rows = 4000;
        int[] offsets = new int[rows + 1];
        byte[] data = new byte[rows * longest];
        for (int i = 0; i < rows; i++) {
            offsets[i + 1] = offsets[i] + random.nextInt(shortest, longest + 1);
        }
        random.nextBytes(data);
        int[] order = shuffled(rows);
        for (int count : COUNTS) {
            int from = rows - count;
            long expected = 0;
            long inOrder = 0;
            for (int i = from; i < rows; i++) {
                int row = order[i];
                expected += ValueSums.hash(data, offsets[i], offsets[i + 1]);
                inOrder += ValueSums.hash(data, offsets[row], offsets[row + 1]);
            }
            assertThat(ValueSums.ofStrings(offsets, data, from, count)).isEqualTo(expected);
            assertThat(ValueSums.ofStrings(offsets, data, order, from, count)).isEqualTo(inOrder);
        }
    }

    @Test
    void aByteStringHasOneHashWhereverItLiesAndAnotherIfAnyBitOrItsLengthDiffers() {
        for (int length = 0; length <= 70; length++) {
            byte[] string = new byte[length];
            random.nextBytes(string);
            long hash = ValueSums.hash(string, 0, length);
            byte[] within = new byte[length + 40];
            random.nextBytes(within);
            System.arraycopy(string, 0, within, 9, length);
            assertThat(ValueSums.hash(within, 9, 9 + length)).isEqualTo(hash);
            Set<Long> seen = new HashSet<>(Set.of(hash));
            for (int bit = 0; bit < 8 * length; bit++) {
                string[bit >> 3] ^= (byte) (1 << (bit & 7));
                assertThat(seen.add(ValueSums.hash(string, 0, length))).isTrue();
                string[bit >> 3] ^= (byte) (1 << (bit & 7));
            }
            assertThat(seen.add(ValueSums.hash(Arrays.copyOf(string, length + 1), 0, length + 1)))
                    .isTrue();
        }
    }

    @Test
    void everyBitOfALongMattersAndTwoChangesDoNotCancelOut() {
        for (int round = 0; round < 200; round++) {
            long left = random.nextLong();
            long right = random.nextLong(-1000, 1000);
            long before = ValueSums.hash(left) + ValueSums.hash(right);
            for (int bit = 0; bit < 64; bit++) {
                long change = 1L << bit;
                assertThat(ValueSums.hash(left ^ change)).isNotEqualTo(ValueSums.hash(left));
                assertThat(ValueSums.hash(left + change) + ValueSums.hash(right - change))
                        .isNotEqualTo(before);
                assertThat(ValueSums.hash(left ^ change) + ValueSums.hash(right ^ change))
                        .isNotEqualTo(before);
            }
        }
    }

    @Test
    void codesAreCountedAndLengthsBecomeStarts() {
        for (int count : COUNTS) {
            int[] codes = IntStream.range(0, count).map(_ -> random.nextInt(9)).toArray();
            int[] counts = new int[9];
            ValueSums.countCodes(codes, count, counts);
            int[] starts = new int[count + 1];
            System.arraycopy(codes, 0, starts, 1, count);
            ValueSums.startsOfLengths(starts, 5, count);
            int position = 5;
            for (int i = 0; i < count; i++) {
                assertThat(starts[i]).isEqualTo(position);
                position += codes[i];
                counts[codes[i]]--;
            }
            assertThat(starts[count]).isEqualTo(position);
            assertThat(counts).containsOnly(0);
        }
    }

    private int[] shuffled(int count) {
        int[] order = IntStream.range(0, count).toArray();
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int row = order[i];
            order[i] = order[other];
            order[other] = row;
        }
        return order;
    }
}
