package dev.penstock.kv.ingest;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.region.StoredKeys;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;

import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.util.ArrayList;
import java.util.List;

/**
 * Compares new segments with what the region holds, before they are prepared: with policy {@code
 * ERROR} the first key that exists ends the load, with {@code REPLACE} such rows are counted, else
 * the rows to leave out are noted. Keys of another load that is prepared at the same time cannot be
 * decided yet; they end the load that prepares later, unless both replace whatever is there.
 */
final class StoredDuplicates {
    private final TableSchema schema;
    private final DuplicatePolicy.Stored policy;
    private final NamedKeys rejected;
    private final List<Roaring64Bitmap> rows = new ArrayList<>();
    private long replaced;

    /**
     * @param rejected takes the keys of which rows are rejects
     */
    StoredDuplicates(TableSchema schema, DuplicatePolicy.Stored policy, NamedKeys rejected) {
        this.schema = schema;
        this.policy = policy;
        this.rejected = rejected;
    }

    void find(StoredKeys stored, List<SegmentFile> segments) {
        for (SegmentFile segment : segments) {
            Roaring64Bitmap leftOut = new Roaring64Bitmap();
            stored.findIn(
                    segment.reader(),
                    (row, key, inOtherLoad) -> found(row, key, inOtherLoad, leftOut));
            rows.add(leftOut);
        }
    }

    private void found(long row, byte[] key, boolean inOtherLoad, Roaring64Bitmap leftOut) {
        if (policy == DuplicatePolicy.Stored.REPLACE && !inOtherLoad) {
            replaced++;
            return;
        }
        if (inOtherLoad) {
            throw PenstockException.conflict(
                    "key "
                            + KeyText.of(schema, key)
                            + " is also in another load into table "
                            + schema.name()
                            + " that is about to be published; load again after it has ended");
        }
        switch (policy) {
            case ERROR ->
                    throw PenstockException.data(
                                    "key "
                                            + KeyText.of(schema, key)
                                            + " exists already in table "
                                            + schema.name())
                            .withKey(key);
            case KEEP_EXISTING, REPLACE -> {}
            case REJECT -> rejected.add(key, true);
        }
        leftOut.addLong(row);
    }

    /** For each segment the numbers of the rows to leave out. */
    List<Roaring64Bitmap> leftOut() {
        return rows;
    }

    /** Stored rows that the segments replace. */
    long replaced() {
        return replaced;
    }
}
