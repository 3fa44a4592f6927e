package dev.penstock.bench.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How many cores a machine has when all are busy: what one thread for each processor computes
 * together, in units of what one alone does. Hosts of virtual machines may give less than they
 * show, and threads of one core share it. Only registers are used, neither memory nor cache.
 */
final class BusyCores {
    private static final long MEASURED_NANOS = 500_000_000;
    private static final long WARM_UP_NANOS = MEASURED_NANOS / 2;
    private static final int STEPS = 1 << 16;

    private BusyCores() {}

    /**
     * Takes about twice {@value #MEASURED_NANOS} ns, and some more before.
     *
     * @param processors threads that run at once
     */
    static double measure(int processors) {
        try (ExecutorService threads = Executors.newFixedThreadPool(processors)) {
            roundsPerSecond(threads, 1, WARM_UP_NANOS);
            double alone = roundsPerSecond(threads, 1, MEASURED_NANOS);
            return roundsPerSecond(threads, processors, MEASURED_NANOS) / alone;
        }
    }

    private static double roundsPerSecond(ExecutorService threads, int count, long nanos) {
        List<Future<Double>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(threads.submit(() -> roundsPerSecond(nanos)));
        }
        double sum = 0;
        for (Future<Double> one : all) {
            sum += result(one);
        }
        return sum;
    }

    private static double result(Future<Double> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Double.NaN;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double roundsPerSecond(long nanos) {
        long start = System.nanoTime();
        long value = start | 1;
        long rounds = 0;
        long passed = 0;
        while (passed < nanos) {
            value += steps(value);
            rounds++;
            passed = System.nanoTime() - start;
        }
        // Who could tell that the value is not used would not compute it.
        return value == 0 ? Double.NaN : rounds / (passed / 1e9);
    }

    /** Four xorshift generators at once, which keep a core's units busy. */
    private static long steps(long seed) {
        long a = seed;
        long b = ~seed;
        long c = seed + 1;
        long d = -seed;
        for (int i = 0; i < STEPS; i++) {
            a ^= a << 13;
            b ^= b << 13;
            c ^= c << 13;
            d ^= d << 13;
            a ^= a >>> 7;
            b ^= b >>> 7;
            c ^= c >>> 7;
            d ^= d >>> 7;
            a ^= a << 17;
            b ^= b << 17;
            c ^= c << 17;
            d ^= d << 17;
        }
        return a ^ b ^ c ^ d;
    }
}
