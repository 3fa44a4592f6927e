package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

class ValueSumsTest {
    private static final int WINDOW = ValueSums.WINDOW;
    private static final int[] COUNTS = {0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 511, 512};

    private final Random random = new Random(311);
    private final long[] out = new long[WINDOW];

    @Test
    void hashesOfLongsAreTheSameAtEveryBorder() {
        long[] values = random.longs(2000).toArray();
        int[] distances = random.ints(WINDOW, 0, Integer.MAX_VALUE).toArray();
        for (int count : COUNTS) {
            for (int from : new int[] {0, 1, 5, 64, 511}) {
                long[] expected = new long[count];
                for (int i = 0; i < count; i++) {
                    expected[i] = ValueSums.hash(values[from + i]);
                }
                ValueSums.hashLongs(values, from, count, out);
                assertThat(Arrays.copyOf(out, count)).isEqualTo(expected);
                assertThat(ValueSums.sum(out, count)).isEqualTo(LongStream.of(expected).sum());
                assertThat(ValueSums.sumLongs(values, from, count, out))
                        .isEqualTo(LongStream.of(expected).sum());
            }
            long base = random.nextLong();
            ValueSums.hashDistances(distances, count, base, out);
            for (int i = 0; i < count; i++) {
                assertThat(out[i]).isEqualTo(ValueSums.hash(base + distances[i]));
            }
        }
    }

    @Test
    void hashesOfByteStringsAreTheSameAtEveryBorder() {
        for (int longest : new int[] {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 97, 130}) {
            for (int shortest : new int[] {0, longest / 2, longest}) {
                for (int room : new int[] {0, 1, 47, 48, 100}) {
                    checkStrings(shortest, longest, room);
                }
            }
        }
    }

    private void checkStrings(int shortest, int longest, int room) {
        int[] offsets = new int[WINDOW + 1];
        for (int i = 0; i < WINDOW; i++) {
            offsets[i + 1] = offsets[i] + random.nextInt(shortest, longest + 1);
        }
        byte[] data = new byte[offsets[WINDOW] + room];
        random.nextBytes(data);
        long[] expected = new long[WINDOW];
        for (int count : COUNTS) {
            int from = WINDOW - count;
            long sum = ValueSums.hashStrings(offsets, data, from, count, out);
            for (int i = 0; i < count; i++) {
                long hash = ValueSums.hash(data, offsets[from + i], offsets[from + i + 1]);
                assertThat(out[i]).as("row %d of %d", i, count).isEqualTo(hash);
                expected[i] = hash;
                sum -= hash;
            }
            assertThat(sum).isZero();
            if (longest <= ValueSums.PART && room >= ValueSums.PART) {
                int most = ValueSums.longest(offsets, from, WINDOW);
                long sumOfShort = ValueSums.hashShort(offsets, data, from, count, most, out);
                assertThat(Arrays.copyOf(out, count)).isEqualTo(Arrays.copyOf(expected, count));
                assertThat(sumOfShort).isEqualTo(LongStream.of(expected).limit(count).sum());
            }
        }
    }

    /** Both ends of a load make sums, and need not be of one version. */
    @Test
    void hashesOfByteStringsStayAsTheyAre() {
        Map<Integer, Long> known =
                Map.of(
                        5, 0xF234B989213561A4L,
                        48, 0x2EE60B448A6E27D1L,
                        49, 0x4ADC862F91216590L,
                        96, 0x4202146C302C4000L,
                        115, 0x84FAC079D1222E39L,
                        200, 0x296BC12ECBA814B1L);
        known.forEach((length, hash) -> {
            byte[] string = new byte[length + ValueSums.PART];
            for (int i = 0; i < string.length; i++) {
                string[i] = (byte) (7 * i + 3);
            }
            assertThat(ValueSums.hash(string, 0, length)).isEqualTo(hash);
            byte[] alone = Arrays.copyOf(string, length);
            assertThat(ValueSums.hash(alone, 0, length)).isEqualTo(hash);
        });
    }

    @Test
    void groupsHaveTheSumsOfTheirHashes() {
        for (int count : COUNTS) {
            long[] hashes = random.longs(WINDOW).toArray();
            int[] groups = random.ints(WINDOW + 3, 0, 5).map(i -> i * ValueSums.LANES).toArray();
            long[] sums = new long[5 * ValueSums.LANES];
            ValueSums.sumGroups(hashes, count, groups, 3, sums);
            for (int i = 0; i < count; i++) {
                sums[groups[i + 3]] -= hashes[i];
            }
            for (int group = 0; group < 5; group++) {
                int lane = group * ValueSums.LANES;
                assertThat(sums[lane] + sums[lane + 1] + sums[lane + 2] + sums[lane + 3]).isZero();
            }
        }
    }

    @Test
    void packedCodesHaveTheSumOfWhatTheTableSays() {
        for (int bits = 0; bits <= ValueSums.MAX_CODE_BITS; bits++) {
            long[] table = random.longs(1L << bits).toArray();
            for (int count : new int[] {0, 1, 7, 8, 9, 2047, 2048, 2049, 5000}) {
                for (int slack : new int[] {0, 3, 64}) {
                    int[] codes = random.ints(count, 0, table.length).toArray();
                    byte[] packed = new byte[5 + 64 + (int) BitPacking.packedBytes(count, bits)];
                    BitPacking.pack(codes, 0, count, bits, packed, 5);
                    long expected = IntStream.of(codes).mapToLong(code -> table[code]).sum();
                    byte[] cut = Arrays.copyOf(packed, packed.length - 64 + slack);
                    assertThat(ValueSums.ofCodes(cut, 5, count, bits, table)).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void aByteStringHasOneHashWhereverItLiesAndAnotherIfAnyBitOrItsLengthDiffers() {
        for (int length = 0; length <= 110; length++) {
            byte[] string = new byte[length];
            random.nextBytes(string);
            long hash = ValueSums.hash(string, 0, length);
            for (int room : new int[] {40, 9 + ValueSums.PART, 100}) {
                byte[] within = new byte[length + room];
                random.nextBytes(within);
                System.arraycopy(string, 0, within, 9, length);
                assertThat(ValueSums.hash(within, 9, 9 + length)).isEqualTo(hash);
            }
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
    void stringsThatExchangeBytesDoNotCancelOut() {
        for (int length = 1; length <= 100; length++) {
            for (int round = 0; round < 40; round++) {
                byte[] left = letters(length);
                byte[] right = letters(length);
                long before = hash(left) + hash(right);
                int from = random.nextInt(length);
                int to = random.nextInt(from, length) + 1;
                byte[] leftAfter = left.clone();
                byte[] rightAfter = right.clone();
                System.arraycopy(right, from, leftAfter, from, to - from);
                System.arraycopy(left, from, rightAfter, from, to - from);
                boolean same = Arrays.equals(left, leftAfter) || Arrays.equals(left, rightAfter);
                assertThat(hash(leftAfter) + hash(rightAfter) == before).isEqualTo(same);
            }
        }
    }

    @Test
    void bytesThatMoveToTheNextStringAreNoticed() {
        for (int length = 0; length <= 100; length++) {
            for (int round = 0; round < 40; round++) {
                byte[] both = round % 4 == 0 ? new byte[length + 9] : letters(length + 9);
                int border = random.nextInt(both.length + 1);
                int moved = random.nextInt(both.length + 1);
                byte[] left = Arrays.copyOf(both, border);
                byte[] right = Arrays.copyOfRange(both, border, both.length);
                byte[] leftAfter = Arrays.copyOf(both, moved);
                byte[] rightAfter = Arrays.copyOfRange(both, moved, both.length);
                boolean same =
                        moved == border
                                || Arrays.equals(left, rightAfter)
                                        && Arrays.equals(right, leftAfter);
                assertThat(hash(left) + hash(right) == hash(leftAfter) + hash(rightAfter))
                        .as("%d of %d instead of %d", moved, both.length, border)
                        .isEqualTo(same);
            }
        }
    }

    @Test
    void twoChangedBytesOfAStringDoNotCancelOut() {
        for (int length = 2; length <= 100; length++) {
            byte[] string = letters(length);
            long before = hash(string);
            for (int round = 0; round < 2000; round++) {
                byte[] changed = string.clone();
                int first = random.nextInt(length);
                int second = (first + 8 * random.nextInt(1 + length / 8)) % length;
                changed[first] += (byte) random.nextInt(1, 256);
                changed[second] += (byte) random.nextInt(1, 256);
                assertThat(hash(changed) == before).isEqualTo(Arrays.equals(changed, string));
            }
        }
    }

    @Test
    void smallAndSequentialNumbersHaveSumsOfTheirOwn() {
        Set<Long> sums = new HashSet<>();
        int triples = 0;
        for (long a = -40; a < 40; a++) {
            for (long b = a; b < 40; b++) {
                for (long c = b; c < 40; c++) {
                    sums.add(ValueSums.hash(a) + ValueSums.hash(b) + ValueSums.hash(c));
                    triples++;
                }
            }
        }
        assertThat(sums).hasSize(triples);
    }

    private static long hash(byte[] string) {
        return ValueSums.hash(string, 0, string.length);
    }

    private byte[] letters(int length) {
        byte[] letters = new byte[length];
        for (int i = 0; i < length; i++) {
            letters[i] = (byte) ('a' + random.nextInt(4));
        }
        return letters;
    }
}
