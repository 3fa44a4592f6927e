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
    void heavyKeysAreSketchedByTheirWeights() {
        KeySketch sketch = new KeySketch(1 << 20);
        int count = 40_000;
        byte[] key = new byte[100];
        long[] weightUpTo = new long[count];
        for (int i = 0; i < count; i++) {
            weightUpTo[i] = (i == 0 ? 0 : weightUpTo[i - 1]) + weight(i);
        }
        for (int i = 0; i < count; i++) {
            int value = (int) (i * 7919L % count);
            ByteAccess.putLongBigEndian(key, 0, value);
            sketch.add(key, 0, key.length, weight(value));
        }
        double total = weightUpTo[count - 1];
        assertThat(sketch.totalWeight()).isEqualTo((long) total);
        long below = 0;
        SortedKeys keys = sketch.keys();
        for (int i = 0; i < keys.size(); i++) {
            below += keys.weight(i);
            long exact = weightUpTo[(int) ByteAccess.getLongBigEndian(keys.key(i), 0)];
            assertThat(Math.abs(below - exact) / total).isLessThan(2 * sketch.shareError());
        }
    }

    private static int weight(int key) {
        return key % 500 == 0 ? 10_000 : key % 10 == 0 ? 700 : 1;
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

    @Test
    void keysThatAreAddedTogetherAreThoseThatAreAddedOneByOne() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 60; round++) {
            long room = round % 3 == 0 ? 700 : 1 << 20;
            KeySketch single = new KeySketch(room);
            KeySketch together = new KeySketch(room);
            boolean ascending = round % 2 == 0;
            long next = 0;
            for (int block = random.nextInt(6); block > 0; block--) {
                int count = random.nextInt(50);
                byte[] bytes = new byte[8 * count];
                int[] ends = new int[count];
                int[] weights = new int[count];
                for (int i = 0; i < count; i++) {
                    next = ascending ? next + 1 : random.nextInt(100);
                    ByteAccess.putLongBigEndian(bytes, 8 * i, next);
                    ends[i] = 8 * i + 8;
                    weights[i] = ascending ? 1 + random.nextInt(9) : random.nextInt(3);
                    single.add(bytes, 8 * i, ends[i], weights[i]);
                }
                int middle = random.nextInt(count + 1);
                boolean first = together.addAll(bytes, ends, weights, 0, middle);
                boolean second = together.addAll(bytes, ends, weights, middle, count);
                assertThat(first).isEqualTo(isAscending(bytes, 0, middle));
                assertThat(second).isEqualTo(isAscending(bytes, middle, count));
            }
            assertThat(together.totalWeight()).isEqualTo(single.totalWeight());
            SortedKeys keys = together.keys();
            SortedKeys expected = single.keys();
            assertThat(keys.size()).isEqualTo(expected.size());
            long total = 0;
            long most = 0;
            for (int i = 0; i < keys.size(); i++) {
                assertThat(keys.key(i)).isEqualTo(expected.key(i));
                assertThat(keys.weight(i)).isEqualTo(expected.weight(i));
                total += keys.weight(i);
                most = Math.max(most, keys.weight(i));
            }
            assertThat(keys.totalWeight()).isEqualTo(total);
            assertThat(keys.maxWeight()).isGreaterThanOrEqualTo(most);
        }
    }

    private static boolean isAscending(byte[] keys, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (ByteAccess.getLongBigEndian(keys, 8 * i)
                    < ByteAccess.getLongBigEndian(keys, 8 * i - 8)) {
                return false;
            }
        }
        return true;
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
