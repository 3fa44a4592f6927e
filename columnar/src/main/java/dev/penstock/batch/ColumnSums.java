package dev.penstock.batch;

import dev.penstock.kernel.ValueSums;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * A number of rows and, for each of their columns, the sum of the hashes of its values ({@link
 * ValueSums}): what is compared to know that all rows arrived, whatever their order and encoding.
 * Sums of parts add up to the sum of the whole. A column's sum does not say which row a value
 * belongs to. Not thread-safe.
 */
public final class ColumnSums {
    /** No sums were made; not to be added to. */
    public static final ColumnSums NONE = new ColumnSums(0, new long[0]);

    private final long[] sums;
    private long rowCount;

    /** Of no rows yet. */
    public ColumnSums(int columnCount) {
        this(0, new long[columnCount]);
    }

    private ColumnSums(long rowCount, long[] sums) {
        this.rowCount = rowCount;
        this.sums = sums;
    }

    /**
     * Sums that were made elsewhere.
     *
     * @param sums one per column, not kept
     */
    public static ColumnSums of(long rowCount, long[] sums) {
        return new ColumnSums(rowCount, sums.clone());
    }

    /** Whether there are no columns: nobody has made sums. */
    public boolean isNone() {
        return sums.length == 0;
    }

    public long rowCount() {
        return rowCount;
    }

    public int columnCount() {
        return sums.length;
    }

    public long column(int index) {
        return sums[index];
    }

    /** One sum per column, a copy. */
    public long[] columns() {
        return sums.clone();
    }

    public ColumnSums copy() {
        return new ColumnSums(rowCount, sums.clone());
    }

    /** Adds the rows of another of the same columns. */
    public void add(ColumnSums other) {
        rowCount += other.rowCount;
        for (int i = 0; i < sums.length; i++) {
            sums[i] += other.sums[i];
        }
    }

    /** Takes away rows that were added. */
    public void subtract(ColumnSums other) {
        rowCount -= other.rowCount;
        for (int i = 0; i < sums.length; i++) {
            sums[i] -= other.sums[i];
        }
    }

    /** Adds rows whose values {@link #addToColumn} adds. */
    public void addRows(long count) {
        rowCount += count;
    }

    /** Adds to the sum of one column. */
    public void addToColumn(int column, long sum) {
        sums[column] += sum;
    }

    /**
     * Adds rows [from, to) of a batch in table order; or, with an order, the rows {@code order[from
     * .. to)}.
     */
    public void add(ColumnBatch batch, int @Nullable [] order, int from, int to) {
        rowCount += to - from;
        for (int column = 0; column < sums.length; column++) {
            sums[column] += sum(batch.column(column), order, from, to);
        }
    }

    /** The sum of rows [from, to) of a column, or of rows {@code order[from .. to)}. */
    public static long sum(ColumnData data, int @Nullable [] order, int from, int to) {
        Validity validity = data.validity();
        if (validity.hasNulls()) {
            return withNulls(data, validity, order, from, to);
        }
        int rows = to - from;
        return switch (data) {
            case LongColumn longs ->
                    order == null
                            ? ValueSums.ofLongs(longs.values(), from, rows)
                            : ValueSums.ofLongs(longs.values(), order, from, rows);
            case BytesColumn strings ->
                    order == null
                            ? ValueSums.ofStrings(strings.offsets(), strings.data(), from, rows)
                            : ValueSums.ofStrings(
                                    strings.offsets(), strings.data(), order, from, rows);
        };
    }

    private static long withNulls(
            ColumnData data, Validity validity, int @Nullable [] order, int from, int to) {
        long[] valid = validity.words();
        return switch (data) {
            case LongColumn longs -> longs(longs.values(), valid, order, from, to);
            case BytesColumn strings ->
                    strings(strings.offsets(), strings.data(), valid, order, from, to);
        };
    }

    private static long longs(
            long[] values, long[] valid, int @Nullable [] order, int from, int to) {
        long sum = (to - from) * ValueSums.NULL_HASH;
        for (int i = from; i < to; i++) {
            int row = order == null ? i : order[i];
            long mask = -(valid[row >> 6] >>> row & 1);
            sum += ValueSums.hash(values[row]) - ValueSums.NULL_HASH & mask;
        }
        return sum;
    }

    private static long strings(
            int[] offsets, byte[] data, long[] valid, int @Nullable [] order, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            int row = order == null ? i : order[i];
            boolean present = (valid[row >> 6] >>> row & 1) != 0;
            sum +=
                    present
                            ? ValueSums.hash(data, offsets[row], offsets[row + 1])
                            : ValueSums.NULL_HASH;
        }
        return sum;
    }

    /** The first column whose sum differs; -1 if none does. */
    public int firstDifference(ColumnSums other) {
        return Arrays.mismatch(sums, other.sums);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ColumnSums that
                && rowCount == that.rowCount
                && Arrays.equals(sums, that.sums);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sums);
    }

    @Override
    public String toString() {
        return rowCount + " rows " + Arrays.toString(sums);
    }
}
