package dev.penstock.kv.api;

import dev.penstock.batch.ColumnBatch;

/**
 * The rows of one scan, batch by batch. Owned by one thread; holds on to the files it reads until
 * it is closed.
 */
public interface ScanCursor extends AutoCloseable {
    /** Most rows of one batch. */
    int BATCH_ROWS = 8192;

    /**
     * Replaces the contents of {@code out} by the next rows, at least one.
     *
     * @param out its columns are those of the projection, in that order
     * @return false if there are no more rows; {@code out} is empty then
     */
    boolean next(ColumnBatch out);

    @Override
    void close();
}
