package dev.penstock.batch;

/**
 * The values of one column in a batch: either {@link LongColumn} or {@link BytesColumn}, with one
 * validity bit a row (bit {@code row & 63} of word {@code row >> 6}, 1 = not NULL). A NULL's slot
 * holds 0 or the empty string. Owned by one thread; row counts live in the {@link ColumnBatch}.
 */
public sealed interface ColumnData permits LongColumn, BytesColumn {
    Validity validity();

    /** Rows that there is room for. */
    int rowCapacity();

    /** Makes room for {@code rowCount} rows, keeping what is there. */
    void ensureRows(int rowCount);

    /** Makes {@code count} rows from {@code row} on, for which there is room, NULL. */
    void setAllNull(int row, int count);

    /** Bytes of memory held. */
    long retainedBytes();
}
