package dev.penstock.sort;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class RadixSortTest {
    private final Random random = new Random(61);

    @Test
    void keysOfAnyWidthAndNumberComeIntoStableOrder() {
        RadixSort sort = new RadixSort();
        for (int count : new int[] {0, 1, 2, 255, 256, 257, 8192, 8193, 20_000, 100_000}) {
            for (int bits : new int[] {0, 1, 5, 11, 12, 22, 23, 33, 46}) {
                for (int runs : new int[] {1, 7, 300, count + 1}) {
                    check(sort, packed(count, bits, runs, false), bits);
                }
                check(sort, packed(count, bits, 5, true), bits);
            }
        }
    }

    private void check(RadixSort sort, long[] values, int bits) {
        long[] expected = values.clone();
        Arrays.sort(expected);
        long[] given = Arrays.copyOf(values, values.length + random.nextInt(3));
        long[] sorted = sort.run(given, values.length, 17, bits);
        assertThat(Arrays.copyOf(sorted, values.length)).isEqualTo(expected);
    }

    /** Keys above 17 bits of row number: runs that ascend, or nearly all keys in one bucket. */
    private long[] packed(int count, int bits, int runs, boolean skewed) {
        long[] keys = new long[count];
        for (int i = 0; i < count; i++) {
            long key = bits == 0 ? 0 : random.nextLong() >>> 64 - bits;
            keys[i] = skewed && random.nextInt(1000) != 0 ? key >>> bits / 2 : key;
        }
        int length = count / runs + 1;
        for (int from = 0; from < count; from += length) {
            Arrays.sort(keys, from, Math.min(count, from + length));
        }
        for (int i = 0; i < count; i++) {
            keys[i] = keys[i] << 17 | i;
        }
        return keys;
    }
}
