package dev.penstock.kv.ingest;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.region.StoredKeys;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.schema.TableSchema;

import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.util.ArrayList;
import java.util.List;

/**
 * Compares new segments with what the region holds, before they are prepared: with policy {@code
 * ERROR} the first key that exists ends the load, with {@code KEEP_FIRST} the rows to leave out are
 * noted. Keys of another load that is prepared at the same time cannot be decided yet; they end the
 * load that prepares later.
 */
final class StoredDuplicates {
    private StoredDuplicates() {}

    /** For each segment the numbers of the rows whose key is stored. */
    static List<Roaring64Bitmap> find(
            StoredKeys stored, TableSchema schema, List<SegmentFile> segments, boolean refuse) {
        List<Roaring64Bitmap> duplicates = new ArrayList<>();
        for (SegmentFile segment : segments) {
            Roaring64Bitmap rows = new Roaring64Bitmap();
            stored.findIn(
                    segment.reader(),
                    (row, key, inOtherLoad) -> {
                        if (inOtherLoad) {
                            throw PenstockException.conflict(
                                    "key "
                                            + KeyText.of(schema, key)
                                            + " is also in another load into table "
                                            + schema.name()
                                            + " that is about to be published; load again"
                                            + " after it has ended");
                        }
                        if (refuse) {
                            throw PenstockException.data(
                                    "key "
                                            + KeyText.of(schema, key)
                                            + " exists already in table "
                                            + schema.name());
                        }
                        rows.addLong(row);
                    });
            duplicates.add(rows);
        }
        return duplicates;
    }
}
