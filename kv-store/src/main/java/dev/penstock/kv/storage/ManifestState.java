package dev.penstock.kv.storage;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionDescriptor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** What a manifest's records add up to. Not thread-safe. */
final class ManifestState {
    private final List<LayerDescriptor> layers = new ArrayList<>();
    private @Nullable RegionDescriptor region;
    private long logFloor = 1;
    private long installedEpoch;
    private long lastSequence;

    void apply(ManifestRecord manifestRecord) {
        switch (manifestRecord) {
            case ManifestRecord.Created r -> region = r.region();
            case ManifestRecord.Flushed r -> {
                addOnTop(r.layer());
                logFloor = r.logFloor();
            }
            case ManifestRecord.Installed r -> {
                addOnTop(r.layer());
                installedEpoch = r.layer().epoch();
            }
            case ManifestRecord.Compacted r -> replace(r);
            case ManifestRecord.Snapshot r -> {
                layers.clear();
                layers.addAll(r.layers());
                logFloor = r.logFloor();
                installedEpoch = r.installedEpoch();
                lastSequence = r.lastSequence();
            }
        }
    }

    private void addOnTop(LayerDescriptor layer) {
        lastSequence = Math.max(lastSequence, layer.sequence());
        if (!layer.segments().isEmpty()) {
            layers.addFirst(layer);
        }
    }

    private void replace(ManifestRecord.Compacted r) {
        lastSequence = Math.max(lastSequence, r.layer().sequence());
        List<Long> present = layers.stream().map(LayerDescriptor::sequence).toList();
        int at = present.indexOf(r.sequences().getFirst());
        int end = at + r.sequences().size();
        if (at < 0 || end > present.size() || !present.subList(at, end).equals(r.sequences())) {
            throw PenstockException.corrupt(
                    "a manifest compacts layers " + r.sequences() + " where it has " + present);
        }
        layers.subList(at, end).clear();
        if (!r.layer().segments().isEmpty()) {
            layers.add(at, r.layer());
        }
    }

    ManifestRecord.Snapshot snapshot() {
        return new ManifestRecord.Snapshot(layers, logFloor, installedEpoch, lastSequence);
    }

    /** Newest first. */
    List<LayerDescriptor> layers() {
        return List.copyOf(layers);
    }

    RegionDescriptor region() {
        if (region == null) {
            throw PenstockException.corrupt("a manifest does not say whose it is");
        }
        return region;
    }

    long logFloor() {
        return logFloor;
    }

    long installedEpoch() {
        return installedEpoch;
    }

    long lastSequence() {
        return lastSequence;
    }
}
