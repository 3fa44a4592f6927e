package dev.penstock.sampler.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.sampler.sketch.KeySketch.WeightedKey;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

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
            sketch.add(key(key), weight);
        }
        List<WeightedKey> keys = sketch.keys();
        assertThat(sketch.shareError()).isZero();
        assertThat(sketch.totalWeight()).isEqualTo(Arrays.stream(weights).sum());
        for (int i = 0; i < weights.length; i++) {
            assertThat(keys.get(i).key()).isEqualTo(key(i));
            assertThat(keys.get(i).weight()).isEqualTo(weights[i]);
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
            sketch.add(key(value), 1);
        }
        values.sort(null);
        assertThat(sketch.totalWeight()).isEqualTo(count);
        assertThat(sketch.shareError()).isBetween(1e-6, 1e-3);
        long below = 0;
        for (WeightedKey item : sketch.keys()) {
            below += item.weight();
            long value = ByteAccess.getLongBigEndian(item.key(), 0);
            long exact = upperBound(values, value);
            assertThat(Math.abs(below - exact) / (double) count)
                    .isLessThan(2 * sketch.shareError());
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
