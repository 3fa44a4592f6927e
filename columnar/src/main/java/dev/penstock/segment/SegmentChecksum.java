package dev.penstock.segment;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.TableSchema;

/** Signatures; the body follows. */
public final class SegmentChecksum {
    public SegmentChecksum(TableSchema schema) {
        throw new UnsupportedOperationException();
    }

    /** Adds all rows of a batch in table order. */
    public void add(ColumnBatch batch) {
        throw new UnsupportedOperationException();
    }

    /** Adds all rows of a segment, checking its bytes. */
    public void add(SegmentReader reader) {
        throw new UnsupportedOperationException();
    }

    public void add(SegmentChecksum other) {
        throw new UnsupportedOperationException();
    }

    public long rowCount() {
        throw new UnsupportedOperationException();
    }

    /** One sum per column. */
    public long[] columns() {
        throw new UnsupportedOperationException();
    }
}
