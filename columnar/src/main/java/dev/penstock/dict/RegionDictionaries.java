package dev.penstock.dict;

import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentReader;
import java.util.BitSet;

/** Signatures; the body follows. Running union of fragment dictionaries of one region; one thread at a time. */
public final class RegionDictionaries {
    public RegionDictionaries(TableSchema schema) {
        throw new UnsupportedOperationException();
    }

    /** Takes in the dictionaries of a fragment (columns without one are left out). */
    public void add(SegmentReader fragment) {
        throw new UnsupportedOperationException();
    }

    /** Columns known to have too many distinct values in this region for a dictionary (a copy). */
    public BitSet plainColumns() {
        throw new UnsupportedOperationException();
    }
}
