package dev.penstock.kv.region;

import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.PreparedLoad;
import dev.penstock.kv.storage.PreparedLoadFile;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.Storage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A region's prepared loads: durable markers beside segments that no manifest names yet. */
public final class PreparedLoads {
    private final Storage storage;
    private final RegionFiles files;
    private final Map<String, PreparedLoad> loads = new LinkedHashMap<>();

    PreparedLoads(Storage storage, RegionFiles files, List<PreparedLoad> found) {
        this.storage = storage;
        this.files = files;
        found.forEach(load -> loads.put(load.loadId(), load));
    }

    /** Prepares a load whose segment files are durable; it will survive on return. */
    public synchronized void add(PreparedLoad load) {
        PreparedLoadFile.write(storage, files, load);
        loads.put(load.loadId(), load);
    }

    public synchronized Optional<PreparedLoad> get(String loadId) {
        return Optional.ofNullable(loads.get(loadId));
    }

    public synchronized List<PreparedLoad> all() {
        return List.copyOf(loads.values());
    }

    public synchronized boolean isEmpty() {
        return loads.isEmpty();
    }

    /** What other prepared loads would add as layers, latest first. */
    synchronized List<LayerDescriptor> layersBut(String loadId) {
        return loads.values().stream()
                .filter(load -> !load.loadId().equals(loadId) && !load.segments().isEmpty())
                .map(load ->
                        new LayerDescriptor(
                                0, 0, 0, false, false, load.identity(), load.segments()))
                .toList()
                .reversed();
    }

    /** Removes the marker of a load that the manifest has taken over. */
    synchronized void forget(String loadId) {
        if (loads.remove(loadId) != null) {
            storage.delete(files.prepared(loadId));
        }
    }

    /** Removes a load that will not be published. */
    public synchronized void discard(String loadId) {
        PreparedLoad load = loads.remove(loadId);
        if (load != null) {
            storage.delete(files.prepared(loadId));
            storage.forceDirectory(files.directory());
            for (SegmentDescriptor segment : load.segments()) {
                storage.delete(files.segment(segment.name()));
            }
        }
    }
}
