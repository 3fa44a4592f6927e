package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import java.util.BitSet;

/** Signatures; the body follows. */
public final class Encode {
    /** The wish for one column. */
    public enum Choice {
        PLAIN,
        PACKED,
        DICTIONARY
    }

    public Encode(TableSchema schema) {
        throw new UnsupportedOperationException();
    }

    /** Rows [from, to) of the batch as a segment image appended to out. */
    public void run(
            ColumnBatch batch,
            int from,
            int to,
            Choice[] choices,
            boolean sorted,
            SegmentIdentity identity,
            ByteBuilder out) {
        throw new UnsupportedOperationException();
    }

    /** Same rows in key order with all columns encoded (an image not in key order is sorted). */
    public void complete(SegmentReader fragment, BitSet plainColumns, ByteBuilder out) {
        throw new UnsupportedOperationException();
    }
}
