package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.segment.SegmentScanner;

/** Rows of one segment that no other layer touches: straight from its scanner. */
record SegmentSource(SegmentScanner scanner) implements RowSource {
    @Override
    public boolean next(ColumnBatch out) {
        return scanner.next(out);
    }

    @Override
    public long count() {
        return scanner.count();
    }
}
