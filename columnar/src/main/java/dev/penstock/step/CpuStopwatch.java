package dev.penstock.step;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Attributes a thread's CPU time to steps: each {@link #stop} takes the time since the last. */
final class CpuStopwatch {
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
        return THREADS.isCurrentThreadCpuTimeSupported()
                ? THREADS.getCurrentThreadCpuTime()
                : System.nanoTime();
    }
}
