package dev.penstock.step;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * Splits a thread's CPU time among steps: each {@link #lap} gives what passed since the one before
 * to one step. Owned by the thread it measures.
 *
 * <p>To ask for a thread's CPU time takes a call of the kernel, as long as summing up a block. So
 * only laps that may have waited ask; shorter ones are taken to have run all the time, and are
 * checked against the CPU time of all of them together from time to time.
 */
public final class CpuClock {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final StepName[] STEPS = StepName.values();

    /** A lap that is longer may have waited. */
    private static final long MAX_SHORT_NANOS = 500_000;

    /** Short laps that together are longer are checked. */
    private static final long MAX_UNCHECKED_NANOS = 2_000_000;

    private final StepTimes times = new StepTimes();

    /** Of short laps since the last check, by the wall clock. */
    private final long[] unchecked = new long[STEPS.length];

    private long uncheckedNanos;

    /** CPU time at the last check. */
    private long checked = now();

    private long lastLap = System.nanoTime();

    /** CPU nanoseconds of the calling thread; 0 if nobody knows, as of a virtual one. */
    public static long now() {
        try {
            return THREADS.isCurrentThreadCpuTimeSupported()
                    ? THREADS.getCurrentThreadCpuTime()
                    : 0;
        } catch (UnsupportedOperationException e) {
            // A virtual thread has no time of its own.
            return 0;
        }
    }

    /** CPU nanoseconds of all threads of this process since it started, 0 if unknown. */
    public static long processNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** Forgets what passed since the last lap. */
    public void restart() {
        check();
        lastLap = System.nanoTime();
    }

    public void lap(StepName step) {
        long wall = System.nanoTime();
        long lap = wall - lastLap;
        lastLap = wall;
        if (lap > MAX_SHORT_NANOS) {
            times.add(step, check());
            return;
        }
        unchecked[step.ordinal()] += lap;
        uncheckedNanos += lap;
        if (uncheckedNanos > MAX_UNCHECKED_NANOS) {
            check();
        }
    }

    /** Gives the short laps the CPU time that they may have taken. Returns what else there was. */
    private long check() {
        long now = now();
        long spent = now - checked;
        checked = now;
        if (uncheckedNanos == 0) {
            return spent;
        }
        long ofLaps = Math.min(spent, uncheckedNanos);
        double share = (double) ofLaps / uncheckedNanos;
        for (StepName step : STEPS) {
            times.add(step, Math.round(unchecked[step.ordinal()] * share));
            unchecked[step.ordinal()] = 0;
        }
        uncheckedNanos = 0;
        return spent - ofLaps;
    }

    /** Of the laps until now; what they still will get goes there as well. */
    public StepTimes times() {
        if (uncheckedNanos > 0) {
            check();
        }
        return times;
    }
}
