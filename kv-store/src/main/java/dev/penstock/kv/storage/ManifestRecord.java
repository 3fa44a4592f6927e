package dev.penstock.kv.storage;

import dev.penstock.kv.api.RegionDescriptor;

import java.util.List;

/** One change of what makes up a region. */
public sealed interface ManifestRecord {
    /** The first record: whose manifest this is. */
    record Created(RegionDescriptor region) implements ManifestRecord {}

    /**
     * A new top layer of rows that were in memory.
     *
     * @param logFloor write-ahead logs with a lower number are no longer needed
     */
    record Flushed(LayerDescriptor layer, long logFloor) implements ManifestRecord {}

    /** A new top layer by a published load; it may have no segments. */
    record Installed(LayerDescriptor layer) implements ManifestRecord {}

    /** Neighbouring layers are replaced by one in their place; it may have no segments. */
    record Compacted(List<Long> sequences, LayerDescriptor layer) implements ManifestRecord {
        public Compacted {
            sequences = List.copyOf(sequences);
        }
    }

    /** The state as a whole, in place of all records before: layers newest first. */
    record Snapshot(
            List<LayerDescriptor> layers, long logFloor, long installedEpoch, long lastSequence)
            implements ManifestRecord {
        public Snapshot {
            layers = List.copyOf(layers);
        }
    }
}
