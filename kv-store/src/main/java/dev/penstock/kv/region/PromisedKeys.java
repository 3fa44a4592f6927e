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
 * a row that was acknowledged: so single rows with these keys are refused meanwhile. Removing a key
 * changes nothing, because keys that are stored are not among them. Thread-safe.
 */
final class PromisedKeys implements AutoCloseable {
    /** The segments of one load, opened when somebody asks for a key. */
    private static final class Promise {
        private final LayerDescriptor descriptor;
        private @Nullable Layer opened;

        Promise(LayerDescriptor descriptor) {
            this.descriptor = descriptor;
        }

        Layer layer(Function<LayerDescriptor, Layer> open) {
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
            String loadId, SegmentIdentity identity, List<SegmentDescriptor> segments) {
        end(loadId);
        if (!segments.isEmpty()) {
            promises.put(
                    loadId,
                    new Promise(new LayerDescriptor(0, 0, 0, false, false, identity, segments)));
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
     * Refuses rows with promised keys.
     *
     * @return the {@link #version} that this holds for
     * @throws PenstockException of category {@code CONFLICT}
     */
    synchronized long check(List<Change> changes) {
        promises.forEach((loadId, promise) -> {
            Layer layer = promise.layer(open);
            for (Change change : changes) {
                if (change.row() != null && lookup.has(layer, change.key())) {
                    throw PenstockException.conflict(
                            "a row has a key of load "
                                    + loadId
                                    + " into table "
                                    + table
                                    + ", which is about to be published; store it after the load"
                                    + " has ended: if it was left unfinished resume it, or end it"
                                    + " with: penstock loads "
                                    + table
                                    + " --abort "
                                    + loadId);
                }
            }
        });
        return version;
    }

    @Override
    public synchronized void close() {
        promises.values().forEach(Promise::close);
        promises.clear();
    }
}
