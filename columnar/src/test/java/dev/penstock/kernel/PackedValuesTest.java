package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/** Sums and selections are those of the values one by one, at every width and lane border. */
class PackedValuesTest {
    private static final int[] COUNTS = {
        0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 1000, 8191, 8192
    };

    @Test
    void sumsAreThoseOfTheValues() {
        Random random = new Random(61);
        for (int bits = 0; bits <= PackedValues.MAX_SUM_BITS; bits++) {
            for (int count : COUNTS) {
                long[] values = values(random, bits, count);
                for (int slack : new int[] {0, 64}) {
                    byte[] packed = pack(values, bits, 3, slack);
                    String what = bits + " bits, " + count + " values, slack " + slack;
                    assertThat(PackedValues.sum(packed, 3, count, bits))
                            .as(what)
                            .isEqualTo(Arrays.stream(values).sum());
                    long[] selected = selection(random, count);
                    long sum = 0;
                    for (int i = 0; i < count; i++) {
                        sum += (selected[i >> 6] >>> i & 1) * values[i];
                    }
                    assertThat(PackedValues.sum(packed, 3, count, bits, selected))
                            .as(what)
                            .isEqualTo(sum);
                    assertThat(PackedValues.sumOnce(packed, 3, count, bits))
                            .as(what)
                            .isEqualTo(Arrays.stream(values).sum());
                    if (bits > 0) {
                        assertThat(PackedValues.sumScalar(packed, 3, 0, count, bits, selected))
                                .isEqualTo(sum);
                        assertThat(PackedValues.sumScalar(packed, 3, 0, count, bits))
                                .isEqualTo(Arrays.stream(values).sum());
                    }
                    if (bits > 0 && KernelSelection.VECTOR) {
                        int whole = Vector128PackedValues.whole(packed, 3, count, bits);
                        assertThat(whole)
                                .as(what)
                                .isLessThanOrEqualTo(count)
                                .matches(n -> n % 64 == 0);
                        assertThat(Vector128PackedValues.sum(packed, 3, whole, bits))
                                .as(what)
                                .isEqualTo(PackedValues.sumScalar(packed, 3, 0, whole, bits));
                        assertThat(Vector128PackedValues.sum(packed, 3, whole, bits, selected))
                                .as(what)
                                .isEqualTo(
                                        PackedValues.sumScalar(
                                                packed, 3, 0, whole, bits, selected));
                    }
                }
            }
        }
    }

    @Test
    void theLargestValuesAreSummedWithoutOverflow() {
        for (int bits = 1; bits <= PackedValues.MAX_SUM_BITS; bits++) {
            long[] values = new long[PackedValues.MAX_COUNT];
            Arrays.fill(values, (1L << bits) - 1);
            long[] all = new long[values.length >> 6];
            Arrays.fill(all, -1L);
            long sum = values.length * ((1L << bits) - 1);
            byte[] packed = pack(values, bits, 0, 64);
            assertThat(PackedValues.sum(packed, 0, values.length, bits)).isEqualTo(sum);
            assertThat(PackedValues.sum(packed, 0, values.length, bits, all)).isEqualTo(sum);
            if (bits <= Vector128PackedValues.MAX_BITS && KernelSelection.VECTOR) {
                assertThat(Vector128PackedValues.sum(packed, 0, values.length, bits))
                        .isEqualTo(sum);
                assertThat(Vector128PackedValues.sum(packed, 0, values.length, bits, all))
                        .isEqualTo(sum);
            }
        }
    }

    @Test
    void selectionsAreThoseOfTheValues() {
        Random random = new Random(62);
        for (int bits = 0; bits <= BitPacking.MAX_SINGLE_LOAD_BITS; bits++) {
            for (int count : COUNTS) {
                long[] values = values(random, bits, count);
                byte[] packed = pack(values, bits, 1, random.nextBoolean() ? 64 : 0);
                for (int round = 0; round < 4; round++) {
                    long low = bound(random, values, bits);
                    long high = Math.max(low, bound(random, values, bits));
                    long[] expected = new long[(count + 63) >> 6];
                    for (int i = 0; i < count; i++) {
                        boolean in = low <= values[i] && values[i] <= high;
                        expected[i >> 6] |= (in ? 1L : 0) << i;
                    }
                    long[] out = selection(random, count);
                    PackedValues.select(packed, 1, count, bits, low, high, out);
                    assertThat(out)
                            .as("%s bits, %s values in %s..%s", bits, count, low, high)
                            .isEqualTo(expected);
                    if (bits > 0) {
                        long[] scalar = selection(random, count);
                        PackedValues.selectScalar(packed, 1, 0, count, bits, low, high, scalar);
                        assertThat(scalar).isEqualTo(expected);
                    }
                    long most = (1L << bits) - 1;
                    if (bits > 0 && low <= most && KernelSelection.VECTOR) {
                        int whole = Vector128PackedValues.whole(packed, 1, count, bits);
                        long[] vector = new long[whole >> 6];
                        int last = (int) Math.min(high, most);
                        Vector128PackedValues.select(
                                packed, 1, whole, bits, (int) low, last, vector);
                        assertThat(vector)
                                .as("%s bits, %s values in %s..%s", bits, whole, low, high)
                                .isEqualTo(Arrays.copyOf(expected, whole >> 6));
                    }
                }
            }
        }
    }

    private static long bound(Random random, long[] values, int bits) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextBoolean() ? Long.MAX_VALUE : 1L << bits;
            default -> values.length == 0 ? 1 : values[random.nextInt(values.length)];
        };
    }

    private static long[] selection(Random random, int count) {
        return random.longs((count + 63) >> 6).toArray();
    }

    private static long[] values(Random random, int bits, int count) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = bits == 0 ? 0 : random.nextLong() >>> 64 - bits;
        }
        return values;
    }

    private static byte[] pack(long[] values, int bits, int at, int slack) {
        int length = at + (int) BitPacking.packedBytes(values.length, bits);
        byte[] packed = new byte[length + BitPacking.PACK_SLACK];
        BitPacking.pack(values, 0, values.length, 0, bits, packed, at);
        return Arrays.copyOf(Arrays.copyOf(packed, length), length + slack);
    }

    /** A segment that was never cut to blocks of a fragment's size may be an array that long. */
    @Test
    void valuesInLongArraysAreLoadedByVectorsToo() {
        byte[] in = new byte[(1 << 28) + 1000];
        assertThat(VectorPackedValues.whole(in, 0, 1024, 1)).isEqualTo(1024);
        assertThat(Vector128PackedValues.whole(in, 0, 1024, 1)).isEqualTo(1024);
        assertThat(VectorPackedValues.whole(in, in.length - 128, 2048, 1)).isBetween(1, 1024);
        assertThat(Vector128PackedValues.whole(in, in.length - 128, 2048, 1)).isBetween(1, 1024);
    }
}
