package dev.penstock.kv.region;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.region.WriteOperation.Change;
import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.segment.SegmentIdentity;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Keys of loads whose rows depend on what is stored, from before they are compared with it until
 * they are part of the region or given up. What they found must stay true, or publishing would hide
 * a row that was acknowledged: so single rows with these keys are refused meanwhile, and so is the
 * removal of keys that were left out because they are stored. Thread-safe.
 */
final class PromisedKeys implements AutoCloseable {
    /** The segments of one load, opened when somebody asks for a key. */
    private static final class Promise {
        private final LayerDescriptor descriptor;
        private final LeftOutKeys leftOut;
        private @Nullable Layer opened;

        Promise(LayerDescriptor descriptor, LeftOutKeys leftOut) {
            this.descriptor = descriptor;
            this.leftOut = leftOut;
        }

        boolean holds(byte[] key, RowLookup lookup, Function<LayerDescriptor, Layer> open) {
            return !descriptor.segments().isEmpty() && lookup.has(layer(open), key);
        }

        boolean leavesOut(byte[] key, RowLookup lookup, Function<LayerDescriptor, Layer> open) {
            return switch (leftOut) {
                case LeftOutKeys.None _ -> false;
                case LeftOutKeys.Undecided _ -> holds(key, lookup, open);
                case LeftOutKeys.Found found -> found.holds(key);
                case LeftOutKeys.Any _ -> true;
            };
        }

        private Layer layer(Function<LayerDescriptor, Layer> open) {
            Layer layer = opened;
            if (layer == null) {
                layer = open.apply(descriptor);
                opened = layer;
            }
            return layer;
        }

        void close() {
            Layer layer = opened;
            if (layer != null) {
                layer.segments().forEach(SegmentFile::release);
            }
        }
    }

    private final Function<LayerDescriptor, Layer> open;
    private final RowLookup lookup;
    private final String table;

    // Guarded by this
    private final Map<String, Promise> promises = new HashMap<>();
    private long version;

    /**
     * @param table for messages
     */
    PromisedKeys(Function<LayerDescriptor, Layer> open, RowLookup lookup, String table) {
        this.open = open;
        this.lookup = lookup;
        this.table = table;
    }

    /** Keys of these segments from now on, in place of what the load promised before. */
    synchronized void promise(
            String loadId,
            SegmentIdentity identity,
            List<SegmentDescriptor> segments,
            LeftOutKeys leftOut) {
        end(loadId);
        if (!segments.isEmpty() || !leftOut.equals(LeftOutKeys.NONE)) {
            LayerDescriptor layer = new LayerDescriptor(0, 0, 0, false, false, identity, segments);
            promises.put(loadId, new Promise(layer, leftOut));
            version++;
        }
    }

    /** The load is part of the region, or given up. Before its files go. */
    synchronized void end(String loadId) {
        Promise promise = promises.remove(loadId);
        if (promise != null) {
            promise.close();
        }
    }

    /** Changes with every promise. Who has checked keys asks again before they are written. */
    synchronized long version() {
        return version;
    }

    /**
     * Refuses rows with promised keys, and the removal of keys that a load leaves out.
     *
     * @return the {@link #version} that this holds for
     * @throws PenstockException of category {@code CONFLICT}
     */
    synchronized long check(List<Change> changes) {
        promises.forEach((loadId, promise) -> {
            for (Change change : changes) {
                check(change.key(), change.row() == null, loadId, promise);
            }
        });
        return version;
    }

    /** The same for keys that are all to be stored, or all to be removed. */
    synchronized void check(List<byte[]> keys, boolean removal) {
        promises.forEach((loadId, promise) -> {
            for (byte[] key : keys) {
                check(key, removal, loadId, promise);
            }
        });
    }

    private void check(byte[] key, boolean removal, String loadId, Promise promise) {
        if (!removal && promise.holds(key, lookup, open)) {
            throw PenstockException.conflict(
                    "a row has a key of load "
                            + loadId
                            + " into table "
                            + table
                            + ", which is about to be published; store it"
                            + afterLoad(loadId));
        }
        if (removal && promise.leavesOut(key, lookup, open)) {
            throw PenstockException.conflict(
                    "a row to delete may be why load "
                            + loadId
                            + " into table "
                            + table
                            + ", which is about to be published, has left out its own row of that"
                            + " key; delete it"
                            + afterLoad(loadId));
        }
    }

    private String afterLoad(String loadId) {
        return " after the load has ended: if it was left unfinished resume it, or end it with:"
                + " penstock loads "
                + table
                + " --abort "
                + loadId;
    }

    @Override
    public synchronized void close() {
        promises.values().forEach(Promise::close);
        promises.clear();
    }
}
