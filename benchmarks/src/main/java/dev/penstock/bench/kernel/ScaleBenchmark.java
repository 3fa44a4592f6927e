package dev.penstock.bench.kernel;

import dev.penstock.kernel.Decimals;
import dev.penstock.kernel.FloatSums;
import dev.penstock.kernel.Multiples;
import dev.penstock.schema.FloatOrder;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Whole numbers of one block of doubles of three decimals and of times of full seconds, and sums of
 * the doubles, in nanoseconds per value.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xmx1g"})
public class ScaleBenchmark {
    static final int BLOCK = PackingBenchmark.BLOCK;
    static final int PLACES = 3;

    final long[] decimals = new long[BLOCK];
    final long[] times = new long[BLOCK];
    final long[] numbers = new long[BLOCK];
    final long[] back = new long[BLOCK];
    final double[] sums = new double[1];
    final double[] lost = new double[1];

    @Setup
    public void setUp() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < BLOCK; i++) {
            decimals[i] = FloatOrder.toOrdered(random.nextInt(40_000) / 1000.0);
            times[i] = random.nextInt() * 1_000_000L;
        }
        Decimals.scale(decimals, 0, BLOCK, false, numbers);
    }

    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public int scaleDecimals() {
        return Decimals.scale(decimals, 0, BLOCK, false, back);
    }

    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public long[] unscaleDecimals() {
        System.arraycopy(numbers, 0, back, 0, BLOCK);
        Decimals.unscale(back, 0, BLOCK, PLACES, false);
        return back;
    }

    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public int divideTimes() {
        return Multiples.divide(times, 0, BLOCK, back);
    }

    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public double sumDoubles() {
        sums[0] = 0;
        lost[0] = 0;
        FloatSums.add(decimals, BLOCK, sums, lost, 0);
        return sums[0] + lost[0];
    }
}
