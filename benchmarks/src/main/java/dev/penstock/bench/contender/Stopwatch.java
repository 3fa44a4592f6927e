package dev.penstock.bench.contender;

import java.util.Arrays;
import java.util.function.DoubleSupplier;

/** Measures a time span, with the CPU time of those who worked in it. */
public final class Stopwatch {
    private final DoubleSupplier[] clocks;
    private final double[] startCpu;
    private final long start;

    private Stopwatch(DoubleSupplier... clocks) {
        this.clocks = clocks;
        this.startCpu = read(clocks);
        this.start = System.nanoTime();
    }

    /**
     * @param clocks whose CPU times are added up
     */
    static Stopwatch start(DoubleSupplier... clocks) {
        return new Stopwatch(clocks);
    }

    Span stop() {
        double seconds = (System.nanoTime() - start) / 1e9;
        double[] stopCpu = read(clocks);
        double cpu = 0;
        for (int i = 0; i < clocks.length; i++) {
            cpu += stopCpu[i] - startCpu[i];
        }
        return new Span(seconds, cpu);
    }

    /**
     * A time span.
     *
     * @param seconds by the clock
     * @param cpuSeconds user and system time, or NaN if nobody knows
     */
    public record Span(double seconds, double cpuSeconds) {}

    private static double[] read(DoubleSupplier... clocks) {
        return Arrays.stream(clocks).mapToDouble(DoubleSupplier::getAsDouble).toArray();
    }
}
