package dev.penstock.cli.render;

import dev.penstock.batch.ColumnBatch;

/** Rows, batch by batch. Owned by one thread. */
public interface BatchSource {
    /** An empty batch for {@link #next}; there may be several. */
    ColumnBatch newBatch();

    /**
     * Replaces the contents of {@code out} by the next rows, at least one; false if none are left.
     */
    boolean next(ColumnBatch out);
}
