package dev.penstock.loader.pipeline;

import dev.penstock.step.StepName;
import dev.penstock.step.StepTimes;

/**
 * Sums over chunks.
 *
 * @param chunks chunks finished
 * @param records records read, rejects included
 * @param rowsSent rows (or records, if raw) handed over in fragments
 * @param duplicatesDropped rows that the loader's own merge left out
 * @param textBytes text read, decompressed
 * @param bytesSent payload bytes of fragments
 * @param fragments fragments handed over
 * @param encodedFragments for each column the fragments in which the loader encoded it
 * @param sums for each column the sum of the rows handed over, as they were parsed; 0 if raw
 * @param stepNanos CPU nanoseconds of each {@link StepName}
 */
public record ChunkTotals(
        long chunks,
        long records,
        long rowsSent,
        long duplicatesDropped,
        long textBytes,
        long bytesSent,
        long fragments,
        long[] encodedFragments,
        long[] sums,
        long[] stepNanos) {

    public static ChunkTotals none(int columnCount) {
        return new ChunkTotals(
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                new long[columnCount],
                new long[columnCount],
                new long[StepName.values().length]);
    }

    /**
     * Of chunks that servers have taken as text.
     *
     * @param rows all their records
     * @param sums for each column
     */
    static ChunkTotals ofText(long chunks, long rows, long textBytes, long bytesSent, long[] sums) {
        return new ChunkTotals(
                chunks,
                rows,
                rows,
                0,
                textBytes,
                bytesSent,
                chunks,
                new long[sums.length],
                sums.clone(),
                new long[StepName.values().length]);
    }

    public ChunkTotals plus(ChunkTotals other) {
        return new ChunkTotals(
                chunks + other.chunks,
                records + other.records,
                rowsSent + other.rowsSent,
                duplicatesDropped + other.duplicatesDropped,
                textBytes + other.textBytes,
                bytesSent + other.bytesSent,
                fragments + other.fragments,
                sum(encodedFragments, other.encodedFragments),
                sum(sums, other.sums),
                sum(stepNanos, other.stepNanos));
    }

    /** What has been added since {@code before}. */
    public ChunkTotals minus(ChunkTotals before) {
        return new ChunkTotals(
                chunks - before.chunks,
                records - before.records,
                rowsSent - before.rowsSent,
                duplicatesDropped - before.duplicatesDropped,
                textBytes - before.textBytes,
                bytesSent - before.bytesSent,
                fragments - before.fragments,
                difference(encodedFragments, before.encodedFragments),
                difference(sums, before.sums),
                difference(stepNanos, before.stepNanos));
    }

    public ChunkTotals plusTimes(StepTimes times) {
        return new ChunkTotals(
                chunks,
                records,
                rowsSent,
                duplicatesDropped,
                textBytes,
                bytesSent,
                fragments,
                encodedFragments,
                sums,
                sum(stepNanos, nanos(times)));
    }

    public StepTimes times() {
        StepTimes times = new StepTimes();
        for (StepName step : StepName.values()) {
            times.add(step, stepNanos[step.ordinal()]);
        }
        return times;
    }

    static long[] nanos(StepTimes times) {
        long[] nanos = new long[StepName.values().length];
        for (StepName step : StepName.values()) {
            nanos[step.ordinal()] = times.nanos(step);
        }
        return nanos;
    }

    private static long[] difference(long[] left, long[] right) {
        long[] difference = left.clone();
        for (int i = 0; i < difference.length; i++) {
            difference[i] -= right[i];
        }
        return difference;
    }

    private static long[] sum(long[] left, long[] right) {
        long[] sum = left.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += right[i];
        }
        return sum;
    }
}
