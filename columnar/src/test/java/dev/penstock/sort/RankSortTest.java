package dev.penstock.sort;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class RankSortTest {
    private final Random random = new Random(71);

    @Test
    void distinctValuesOfAnyWidthComeIntoOrder() {
        RankSort sort = new RankSort();
        for (int bits : new int[] {16, 0, 1, 5, 6, 7, 12, 17}) {
            for (int share : new int[] {1, 2, 15}) {
                long[] values = distinct(bits, share);
                int[] order = new int[values.length];
                int from = random.nextInt(20);
                assertThat(sort.run(above(values, from), values.length, from, bits, order))
                        .isTrue();
                long[] expected = values.clone();
                Arrays.sort(expected);
                long[] found = Arrays.stream(order).mapToLong(i -> values[i]).toArray();
                assertThat(found).isEqualTo(expected);
            }
        }
    }

    @Test
    void aValueThatIsTwiceIsNoticed() {
        RankSort sort = new RankSort();
        for (int i = 0; i < 100; i++) {
            long[] values = distinct(12, 3);
            int twice = random.nextInt(values.length - 1);
            values[twice] = values[values.length - 1];
            assertThat(sort.run(above(values, 9), values.length, 9, 12, new int[values.length]))
                    .isFalse();
        }
    }

    @Test
    void manyCloseValuesAreWorthIt() {
        assertThat(RankSort.pays(1 << 10, 14)).isTrue();
        assertThat(RankSort.pays(1 << 10, 15)).isFalse();
        assertThat(RankSort.pays(1000, 10)).isFalse();
        assertThat(RankSort.pays(1 << 26, 28)).isTrue();
        assertThat(RankSort.pays(1 << 26, 29)).isFalse();
        assertThat(RankSort.pays(1 << 26, 63)).isFalse();
    }

    /** The values above so many bits of anything. */
    private long[] above(long[] values, int bits) {
        return Arrays.stream(values)
                .map(value -> value << bits | random.nextLong() & (1L << bits) - 1)
                .toArray();
    }

    /** A share of all values of so many bits, shuffled. */
    private long[] distinct(int bits, int share) {
        long[] values = new long[Math.max(1, (1 << bits) / share)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (long) i * share + random.nextInt(share);
        }
        if (share > 1 << bits) {
            values[0] = random.nextInt(1 << bits);
        }
        for (int i = values.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            long swapped = values[i];
            values[i] = values[other];
            values[other] = swapped;
        }
        return values;
    }
}
