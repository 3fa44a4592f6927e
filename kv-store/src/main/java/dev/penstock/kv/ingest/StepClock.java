package dev.penstock.kv.ingest;

import dev.penstock.step.StepName;
import dev.penstock.step.StepTimes;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Attributes the CPU time of the current thread to steps: each {@link #stop} takes what has passed
 * since the one before. Owned by one thread, which is no virtual one.
 */
final class StepClock {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final StepTimes times = new StepTimes();
    private long last = now();

    void stop(StepName step) {
        long current = now();
        times.add(step, current - last);
        last = current;
    }

    StepTimes times() {
        return times;
    }

    private static long now() {
        boolean measurable =
                THREADS.isCurrentThreadCpuTimeSupported() && !Thread.currentThread().isVirtual();
        return measurable ? THREADS.getCurrentThreadCpuTime() : 0;
    }
}
