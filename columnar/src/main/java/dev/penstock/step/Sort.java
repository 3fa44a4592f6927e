package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.TableSchema;

/** Signatures; the body follows. */
public final class Sort {
    public Sort(TableSchema schema) {
        throw new UnsupportedOperationException();
    }

    /** Same batch if ordered, else an owned copy valid until the next call; stable. */
    public ColumnBatch run(ColumnBatch batch) {
        throw new UnsupportedOperationException();
    }
}
