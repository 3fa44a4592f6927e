package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate;

/** Signatures; the body follows. */
public final class SegmentScanner {
    public SegmentScanner(
            SegmentReader reader,
            KeyRange range,
            int[] projection,
            Predicate predicate,
            boolean withKeys) {
        throw new UnsupportedOperationException();
    }

    /** Next non-empty batch of selected rows (cleared first); false at the end. */
    public boolean next(ColumnBatch out) {
        throw new UnsupportedOperationException();
    }

    /** Encoded keys of the rows of the last batch, if asked for. Valid until the next call. */
    public BytesColumn keys() {
        throw new UnsupportedOperationException();
    }

    /** Matching rows from here on, without materialising them. */
    public long count() {
        throw new UnsupportedOperationException();
    }
}
