package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.AscendingKeys;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentScanner;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The keys a region holds, to be compared with those of new segments in one pass over both. Only
 * what overlaps the extent of a new segment is read, and only its key columns. Keys of other loads
 * that are prepared and may be published first count as held. Owned by one thread.
 */
public final class StoredKeys implements AutoCloseable {
    /** Told of each row of a new segment whose key is held, by the row's number there. */
    public interface Found {
        void stored(long row, byte[] key);

        /** The key is in a load that is prepared and may be published first. */
        void prepared(long row, byte[] key, String loadId);
    }

    private final RegionSnapshot snapshot;
    private final List<PreparedLayer> otherLoads;
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
            List<PreparedLayer> otherLoads,
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
        KeyRange extent = KeyRange.closed(segment.firstKey(), segment.lastKey());
        List<Held> stored = stored(extent);
        List<HeldByLoad> others = others(extent);
        if (stored.isEmpty() && others.isEmpty()) {
            return;
        }
        SegmentScanner scanner =
                new SegmentScanner(
                        segment, KeyRange.ALL, KeyedCursor.NO_COLUMNS, Predicate.ALWAYS, true);
        ColumnBatch none = new ColumnBatch(List.of());
        AscendingKeys keys = new AscendingKeys();
        long row = 0;
        while (scanner.next(none)) {
            keys.set(scanner.keys(), none.rowCount());
            for (int i = 0; i < none.rowCount(); i++) {
                boolean isStored = holds(stored, keys, i);
                if (isStored) {
                    found.stored(row, keys.get(i));
                }
                if (othersToo || !isStored) {
                    tellOfOthers(others, keys, i, row, found);
                }
                row++;
            }
        }
    }

    private static void tellOfOthers(
            List<HeldByLoad> others, AscendingKeys keys, int keyRow, long row, Found found) {
        for (HeldByLoad other : others) {
            if (other.held().seek(keys, keyRow)) {
                found.prepared(row, keys.get(keyRow), other.loadId());
                return;
            }
        }
    }

    private List<HeldByLoad> others(KeyRange extent) {
        List<HeldByLoad> others = new ArrayList<>();
        for (PreparedLayer other : otherLoads) {
            held(other.layer(), extent)
                    .ifPresent(held -> others.add(new HeldByLoad(other.loadId(), held)));
        }
        return others;
    }

    private List<Held> stored(KeyRange extent) {
        List<Held> stored = new ArrayList<>();
        for (Delta.Snapshot delta : snapshot.deltas()) {
            if (!delta.range(extent).isEmpty()) {
                stored.add(
                        new Held(
                                new DeltaCursor(
                                        delta, extent, schema, codec, KeyedCursor.NO_COLUMNS)));
            }
        }
        snapshot.layers().forEach(layer -> held(layer, extent).ifPresent(stored::add));
        return stored;
    }

    private Optional<Held> held(Layer layer, KeyRange extent) {
        List<SegmentFile> segments = layer.overlapping(extent);
        if (segments.isEmpty()) {
            return Optional.empty();
        }
        boolean tombstones = layer.descriptor().tombstones();
        TableSchema layerSchema = tombstones ? flushSchema : schema;
        return Optional.of(
                new Held(
                        new SegmentsCursor(
                                segments,
                                extent,
                                layerSchema,
                                tombstones,
                                KeyedCursor.NO_COLUMNS)));
    }

    /** Whether the newest layer that knows the key has a row for it. */
    private static boolean holds(List<Held> layers, AscendingKeys keys, int row) {
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
        otherLoads.forEach(PreparedLayer::release);
    }

    private record HeldByLoad(String loadId, Held held) {}

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
        boolean seek(AscendingKeys wanted, int wantedRow) {
            while (!ended) {
                AscendingKeys keys = cursor.keys();
                row = keys.firstNotLess(row, keys.size(), wanted, wantedRow);
                if (row < keys.size()) {
                    return keys.compare(row, wanted, wantedRow) == 0;
                }
                row = 0;
                ended = !cursor.next();
            }
            return false;
        }

        boolean deleted() {
            return cursor.deleted(row);
        }
    }
}
