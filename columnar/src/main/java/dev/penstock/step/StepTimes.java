package dev.penstock.step;

/** CPU nanoseconds per step. Not thread-safe: one per thread, added up at the end. */
public final class StepTimes {
    private final long[] nanos = new long[StepName.values().length];

    public void add(StepName step, long cpuNanos) {
        nanos[step.ordinal()] += cpuNanos;
    }

    public void addAll(StepTimes other) {
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] += other.nanos[i];
        }
    }

    public long nanos(StepName step) {
        return nanos[step.ordinal()];
    }

    public long totalNanos() {
        long total = 0;
        for (long value : nanos) {
            total += value;
        }
        return total;
    }
}
