package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentScanner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys a region holds, to be compared with those of new segments in one pass over both. Only
 * what overlaps the extent of a new segment is read, and only its key columns. Keys of other loads
 * that are prepared and may be published first count as held. Owned by one thread.
 */
public final class StoredKeys implements AutoCloseable {
    private static final int[] NO_COLUMNS = {};

    /** Told of each row of a new segment whose key is held. */
    @FunctionalInterface
    public interface Found {
        /**
         * @param row number of the row in the new segment
         * @param inOtherLoad whether the key is in another prepared load, and not what is stored
         */
        void found(long row, byte[] key, boolean inOtherLoad);
    }

    private final RegionSnapshot snapshot;
    private final List<Layer> otherLoads;
    private final boolean othersToo;
    private final TableSchema schema;
    private final TableSchema flushSchema;
    private final RowCodec codec;

    /**
     * Of a region.
     *
     * @param othersToo whether keys of other loads are told even if they are stored as well
     */
    StoredKeys(
            RegionSnapshot snapshot,
            List<Layer> otherLoads,
            boolean othersToo,
            TableSchema schema,
            TableSchema flushSchema,
            RowCodec codec) {
        this.snapshot = snapshot;
        this.otherLoads = otherLoads;
        this.othersToo = othersToo;
        this.schema = schema;
        this.flushSchema = flushSchema;
        this.codec = codec;
    }

    /** Whether no key can be held. */
    public boolean isEmpty() {
        return stored(KeyRange.ALL).isEmpty() && otherLoads.isEmpty();
    }

    /** Compares all rows of a segment, in key order. */
    public void findIn(SegmentReader segment, Found found) {
        byte[] last = segment.lastKey();
        KeyRange extent = new KeyRange(segment.firstKey(), Arrays.copyOf(last, last.length + 1));
        List<Held> stored = stored(extent);
        List<Held> others = new ArrayList<>();
        otherLoads.forEach(layer -> addLayer(layer, extent, others));
        if (stored.isEmpty() && others.isEmpty()) {
            return;
        }
        SegmentScanner scanner =
                new SegmentScanner(segment, KeyRange.ALL, NO_COLUMNS, Predicate.ALWAYS, true);
        ColumnBatch none = new ColumnBatch(List.of());
        long row = 0;
        while (scanner.next(none)) {
            BytesColumn keys = scanner.keys();
            for (int i = 0; i < none.rowCount(); i++) {
                boolean isStored = holds(stored, keys, i);
                if (isStored) {
                    found.found(row, keys.get(i), false);
                }
                if ((othersToo || !isStored) && holds(others, keys, i)) {
                    found.found(row, keys.get(i), true);
                }
                row++;
            }
        }
    }

    private List<Held> stored(KeyRange extent) {
        List<Held> stored = new ArrayList<>();
        for (Delta.Snapshot delta : snapshot.deltas()) {
            if (!delta.range(extent).isEmpty()) {
                stored.add(new Held(new DeltaCursor(delta, extent, schema, codec, NO_COLUMNS)));
            }
        }
        snapshot.layers().forEach(layer -> addLayer(layer, extent, stored));
        return stored;
    }

    private void addLayer(Layer layer, KeyRange extent, List<Held> target) {
        List<SegmentFile> segments = layer.overlapping(extent);
        if (!segments.isEmpty()) {
            boolean tombstones = layer.descriptor().tombstones();
            TableSchema layerSchema = tombstones ? flushSchema : schema;
            target.add(
                    new Held(
                            new SegmentsCursor(
                                    segments, extent, layerSchema, tombstones, NO_COLUMNS)));
        }
    }

    /** Whether the newest layer that knows the key has a row for it. */
    private static boolean holds(List<Held> layers, BytesColumn keys, int row) {
        for (Held layer : layers) {
            if (layer.seek(keys, row)) {
                return !layer.deleted();
            }
        }
        return false;
    }

    @Override
    public void close() {
        snapshot.close();
        otherLoads.forEach(layer -> layer.segments().forEach(SegmentFile::release));
    }

    /** A cursor that only goes forward, asked for ascending keys. */
    private static final class Held {
        private final KeyedCursor cursor;
        private int row;
        private boolean ended;

        Held(KeyedCursor cursor) {
            this.cursor = cursor;
            this.ended = !cursor.next();
        }

        /** Goes to the key; false if it is not here. */
        boolean seek(BytesColumn wanted, int wantedRow) {
            while (!ended) {
                int order = compare(wanted, wantedRow);
                if (order >= 0) {
                    return order == 0;
                }
                row++;
                if (row == cursor.batch().rowCount()) {
                    row = 0;
                    ended = !cursor.next();
                }
            }
            return false;
        }

        private int compare(BytesColumn wanted, int wantedRow) {
            BytesColumn keys = cursor.keys();
            return Arrays.compareUnsigned(
                    keys.data(),
                    keys.offsets()[row],
                    keys.offsets()[row + 1],
                    wanted.data(),
                    wanted.offsets()[wantedRow],
                    wanted.offsets()[wantedRow + 1]);
        }

        boolean deleted() {
            return cursor.deleted(row);
        }
    }
}
