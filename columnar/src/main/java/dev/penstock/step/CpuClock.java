package dev.penstock.step;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * Splits a thread's CPU time among steps: each {@link #lap} gives what passed since the one before
 * to one step. Owned by the thread it measures.
 */
public final class CpuClock {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final StepTimes times = new StepTimes();
    private long last = now();

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
        last = now();
    }

    public void lap(StepName step) {
        long now = now();
        times.add(step, now - last);
        last = now;
    }

    public StepTimes times() {
        return times;
    }
}
