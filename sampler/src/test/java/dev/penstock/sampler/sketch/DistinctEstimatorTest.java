package dev.penstock.sampler.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.LongColumn;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.SplittableRandom;

class DistinctEstimatorTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100, 4_096, 10_000, 50_000, 300_000, 1_000_000})
    void distinctNumbersAndStringsAreEstimatedWithinFivePercent(int distinct) {
        SplittableRandom random = new SplittableRandom(distinct);
        LongColumn longs = new LongColumn(distinct * 2);
        BytesColumn bytes = new BytesColumn(distinct * 2, 16);
        for (int i = 0; i < distinct * 2; i++) {
            int value = i < distinct ? i : random.nextInt(distinct);
            longs.values()[i] = value * 10L;
            byte[] text = ("value " + value).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            bytes.append(i, text, 0, text.length);
        }
        DistinctEstimator estimator = new DistinctEstimator();
        estimator.addAll(longs, 0, distinct * 2, 1);
        assertThat((double) estimator.estimate() / distinct).isBetween(0.95, 1.05);
        estimator.reset();
        estimator.addAll(bytes, 0, distinct * 2, 1);
        assertThat((double) estimator.estimate() / distinct).isBetween(0.95, 1.05);
    }

    @Test
    void nullsAreNotCounted() {
        LongColumn longs = new LongColumn(10);
        for (int i = 0; i < 10; i++) {
            longs.values()[i] = i < 5 ? 7 : 0;
            if (i >= 5) {
                longs.validity().setNull(i, 10);
            }
        }
        DistinctEstimator estimator = new DistinctEstimator();
        estimator.addAll(longs, 0, 10, 1);
        assertThat(estimator.estimate()).isEqualTo(1);
    }
}
