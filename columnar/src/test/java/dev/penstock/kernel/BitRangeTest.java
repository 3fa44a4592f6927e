package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.Random;

class BitRangeTest {
    @Test
    void copiesSetsAndCountsAnyRange() {
        Random random = new Random(3);
        for (int round = 0; round < 2000; round++) {
            long[] source = words(random);
            long[] target = words(random);
            int from = random.nextInt(150);
            int to = random.nextInt(150);
            int count = random.nextInt(105);
            BitSet expected = BitSet.valueOf(target);
            for (int i = 0; i < count; i++) {
                expected.set(to + i, BitSet.valueOf(source).get(from + i));
            }
            BitRange.copy(source, from, target, to, count);
            assertThat(BitSet.valueOf(target)).isEqualTo(expected);
            assertThat(BitRange.count(target, to, count))
                    .isEqualTo(expected.get(to, to + count).cardinality());
            BitRange.set(target, to, count);
            expected.set(to, to + count);
            assertThat(BitSet.valueOf(target)).isEqualTo(expected);
        }
    }

    @Test
    void findsTheNextBitOfAKind() {
        Random random = new Random(4);
        for (int round = 0; round < 2000; round++) {
            long[] words = words(random);
            words[random.nextInt(4)] = random.nextInt(2) - 1L;
            int from = random.nextInt(256);
            int to = from + random.nextInt(257 - from);
            BitSet bits = BitSet.valueOf(words);
            int set = bits.nextSetBit(from);
            assertThat(BitRange.nextSet(words, from, to))
                    .isEqualTo(set < 0 ? to : Math.min(to, set));
            assertThat(BitRange.nextClear(words, from, to))
                    .isEqualTo(Math.min(to, bits.nextClearBit(from)));
        }
    }

    private static long[] words(Random random) {
        return new long[] {
            random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong()
        };
    }
}
