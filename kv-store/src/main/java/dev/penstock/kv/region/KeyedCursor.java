package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.AscendingKeys;

/** The rows of one layer in key order, with their keys. Owned by one thread. */
interface KeyedCursor {
    /** Of a cursor that is only asked for keys. */
    int[] NO_COLUMNS = {};

    /** Loads the next batch of at least one row; false at the end. */
    boolean next();

    /** The rows of the last batch: the columns asked for, perhaps followed by others. */
    ColumnBatch batch();

    /** Encoded keys of the rows of the last batch. */
    AscendingKeys keys();

    /**
     * Whether each of its rows is one of the result: none is deleted, all match the predicate, and
     * no other layer decides about them.
     */
    boolean isDecided();

    /** Whether {@link #deleted} may be true of a row of the last batch. */
    boolean mayHaveDeleted();

    /** Whether a row of the last batch says that its key was deleted. */
    boolean deleted(int row);
}
