package dev.penstock.sampler.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteAccess;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

class KeySketchTest {
    private static final long SEED = 20261120;

    @Test
    void aSampleOfUsualSizeIsKeptExactlyAndMergesEqualKeys() {
        KeySketch sketch = new KeySketch();
        SplittableRandom random = new SplittableRandom(SEED);
        long[] weights = new long[100];
        for (int i = 0; i < 10_000; i++) {
            int key = random.nextInt(weights.length);
            int weight = 1 + random.nextInt(3);
            weights[key] += weight;
            sketch.add(key(key), 0, 8, weight);
        }
        SortedKeys keys = sketch.keys();
        assertThat(sketch.shareError()).isZero();
        assertThat(sketch.totalWeight()).isEqualTo(Arrays.stream(weights).sum());
        for (int i = 0; i < weights.length; i++) {
            assertThat(keys.key(i)).isEqualTo(key(i));
            assertThat(keys.weight(i)).isEqualTo(weights[i]);
        }
    }

    @Test
    void aLargerSampleIsSketchedWithinTheStatedError() {
        KeySketch sketch = new KeySketch();
        SplittableRandom random = new SplittableRandom(SEED);
        int count = 2 * KeySketch.EXACT_KEYS;
        List<Long> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long value = random.nextLong(1L << 40);
            values.add(value);
            sketch.add(key(value), 0, 8, 1);
        }
        values.sort(null);
        assertThat(sketch.totalWeight()).isEqualTo(count);
        assertThat(sketch.shareError()).isBetween(1e-6, 1e-3);
        long below = 0;
        SortedKeys keys = sketch.keys();
        for (int i = 0; i < keys.size(); i++) {
            below += keys.weight(i);
            long value = ByteAccess.getLongBigEndian(keys.key(i), 0);
            long exact = upperBound(values, value);
            assertThat(Math.abs(below - exact) / (double) count)
                    .isLessThan(2 * sketch.shareError());
        }
    }

    @Test
    void keysTooLongForTheHeapAreSketchedAndTheirRoomIsLetGo() {
        KeySketch sketch = new KeySketch(1 << 20);
        int count = 40_000;
        byte[] key = new byte[100];
        for (int i = 0; i < count; i++) {
            ByteAccess.putLongBigEndian(key, 0, i * 7919L % count);
            sketch.add(key, 0, key.length, 1);
            assertThat(sketch.exactRoomBytes()).isLessThan(2 << 20);
        }
        assertThat(sketch.exactRoomBytes()).isLessThan(100);
        assertThat(sketch.totalWeight()).isEqualTo(count);
        SortedKeys keys = sketch.keys();
        long below = 0;
        for (int i = 0; i < keys.size(); i++) {
            below += keys.weight(i);
            long value = ByteAccess.getLongBigEndian(keys.key(i), 0);
            assertThat(Math.abs(below - 1 - value) / (double) count)
                    .isLessThan(2 * sketch.shareError());
        }
    }

    @Test
    void roomForKeysIsAPartOfTheHeapUpToABound() {
        assertThat(KeySketch.maxExactBytes(64 << 20)).isEqualTo(4 << 20);
        assertThat(KeySketch.maxExactBytes(1 << 30)).isEqualTo(64 << 20);
        assertThat(KeySketch.maxExactBytes(32L << 30)).isEqualTo(64 << 20);
    }

    @Test
    void keysOfAnyLengthAreSortedAndEachIsThereOnce() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 100; round++) {
            KeySketch sketch = new KeySketch();
            TreeMap<byte[], Long> expected = new TreeMap<>(Arrays::compareUnsigned);
            for (int i = random.nextInt(300); i > 0; i--) {
                byte[] key = new byte[5 + random.nextInt(20)];
                int to = 5 + random.nextInt(key.length - 4);
                for (int at = 5; at < to; at++) {
                    key[at] = (byte) (random.nextInt(3) * 100);
                }
                int from = random.nextInt(6);
                int weight = random.nextInt(3);
                sketch.add(key, from, to, weight);
                if (weight > 0) {
                    expected.merge(Arrays.copyOfRange(key, from, to), (long) weight, Long::sum);
                }
            }
            SortedKeys keys = sketch.keys();
            assertThat(keys.size()).isEqualTo(expected.size());
            int place = 0;
            for (byte[] key : expected.keySet()) {
                assertThat(keys.key(place)).isEqualTo(key);
                assertThat(keys.weight(place++)).isEqualTo(expected.get(key));
            }
        }
    }

    private static long upperBound(List<Long> sorted, long value) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle) <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static byte[] key(long value) {
        byte[] key = new byte[8];
        ByteAccess.putLongBigEndian(key, 0, value);
        return key;
    }
}
