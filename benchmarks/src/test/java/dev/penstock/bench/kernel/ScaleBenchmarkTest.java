package dev.penstock.bench.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kernel.Multiples;
import dev.penstock.schema.FloatOrder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;

/** What is measured is right. */
class ScaleBenchmarkTest {
    private final ScaleBenchmark benchmark = new ScaleBenchmark();

    @BeforeEach
    void setUp() {
        benchmark.setUp();
    }

    @Test
    void decimalsBecomeWholeNumbersAndComeBack() {
        assertThat(benchmark.scaleDecimals()).isEqualTo(ScaleBenchmark.PLACES);
        assertThat(benchmark.unscaleDecimals()).containsExactly(benchmark.decimals);
    }

    @Test
    void timesBecomeSecondsAtLeast() {
        long divisor = Multiples.divisor(benchmark.divideTimes());
        assertThat(divisor % 1_000_000).isZero();
        for (int i = 0; i < ScaleBenchmark.BLOCK; i++) {
            assertThat(benchmark.back[i] * divisor).isEqualTo(benchmark.times[i]);
        }
    }

    @Test
    void sumsAreExactButForTheLastDigit() {
        BigDecimal exact = BigDecimal.ZERO;
        for (long ordered : benchmark.decimals) {
            exact = exact.add(new BigDecimal(FloatOrder.fromOrdered(ordered)));
        }
        assertThat(benchmark.sumDoubles()).isEqualTo(exact.doubleValue());
    }
}
