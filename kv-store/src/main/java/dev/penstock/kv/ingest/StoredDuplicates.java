package dev.penstock.kv.ingest;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.region.LeftOutKeys;
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
    private final OtherLoads others;
    private final List<Roaring64Bitmap> rows = new ArrayList<>();
    private final LeftOutKeys.Found leftOutKeys = new LeftOutKeys.Found();
    private long replaced;

    /**
     * @param rejected takes the keys of which rows are rejects
     * @param others for messages
     */
    StoredDuplicates(
            TableSchema schema,
            DuplicatePolicy.Stored policy,
            NamedKeys rejected,
            OtherLoads others) {
        this.schema = schema;
        this.policy = policy;
        this.rejected = rejected;
        this.others = others;
    }

    void find(StoredKeys stored, List<SegmentFile> segments) {
        for (SegmentFile segment : segments) {
            InSegment found = new InSegment();
            stored.findIn(segment.reader(), found);
            rows.add(found.leftOut);
        }
    }

    /** What is held of the keys of one segment. */
    private final class InSegment implements StoredKeys.Found {
        private final Roaring64Bitmap leftOut = new Roaring64Bitmap();

        @Override
        public void stored(long row, byte[] key) {
            switch (policy) {
                case REPLACE -> {
                    replaced++;
                    return;
                }
                case ERROR ->
                        throw PenstockException.data(
                                        "key "
                                                + KeyText.of(schema, key)
                                                + " exists already in table "
                                                + schema.name())
                                .withKey(key);
                case KEEP_EXISTING -> {}
                case REJECT -> rejected.add(key, true);
            }
            leftOut.addLong(row);
            leftOutKeys.add(key);
        }

        @Override
        public void prepared(long row, byte[] key, String loadId) {
            throw others.conflict(KeyText.of(schema, key), schema.name(), loadId);
        }
    }

    /** For each segment the numbers of the rows to leave out. */
    List<Roaring64Bitmap> leftOut() {
        return rows;
    }

    /** Their keys. */
    LeftOutKeys leftOutKeys() {
        return leftOutKeys.all();
    }

    /** Stored rows that the segments replace. */
    long replaced() {
        return replaced;
    }
}
