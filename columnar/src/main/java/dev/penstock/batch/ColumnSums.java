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
     * Adds all rows of a batch in table order.
     *
     * @param hashes scratch memory
     */
    public void add(ColumnBatch batch, ColumnHashes hashes) {
        add(batch, 0, batch.rowCount(), hashes);
    }

    /** The same of rows [from, to). */
    public void add(ColumnBatch batch, int from, int to, ColumnHashes hashes) {
        rowCount += to - from;
        for (int column = 0; column < sums.length; column++) {
            sums[column] += hashes.sum(batch, column, from, to);
        }
    }

    /**
     * Adds the rows {@code order[from .. to)} of a batch in table order: one by one, for few rows.
     */
    public void add(ColumnBatch batch, int[] order, int from, int to) {
        rowCount += to - from;
        for (int column = 0; column < sums.length; column++) {
            addToColumn(column, batch.column(column), order, from, to);
        }
    }

    /** Adds to the sum of one column the rows {@code order[from .. to)} of it. */
    public void addToColumn(int column, ColumnData data, int[] order, int from, int to) {
        Validity validity = data.validity();
        for (int i = from; i < to; i++) {
            int row = order[i];
            sums[column] += validity.isValid(row) ? hash(data, row) : ValueSums.NULL_HASH;
        }
    }

    private static long hash(ColumnData data, int row) {
        return switch (data) {
            case LongColumn longs -> ValueSums.hash(longs.values()[row]);
            case BytesColumn strings -> {
                int[] offsets = strings.offsets();
                yield ValueSums.hash(strings.data(), offsets[row], offsets[row + 1]);
            }
        };
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
