package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;

/** Some of a scan's rows, in key order. Owned by one thread. */
interface RowSource {
    /** Replaces the contents of {@code out} by at least one row; false at the end. */
    boolean next(ColumnBatch out);

    /** Counts the rows that remain instead of returning them. */
    long count();
}
