package dev.penstock.kv.region;

import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.PreparedLoad;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.Storage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A region's prepared loads: segments that only the server's journal names. What is said here is
 * durable once the journal is forced.
 */
public final class PreparedLoads {
    private final RegionJournal journal;
    private final Storage storage;
    private final RegionFiles files;
    private final PromisedKeys promised;
    private final Map<String, PreparedLoad> loads = new LinkedHashMap<>();

    PreparedLoads(
            RegionJournal journal,
            Storage storage,
            RegionFiles files,
            PromisedKeys promised,
            List<PreparedLoad> found) {
        this.journal = journal;
        this.storage = storage;
        this.files = files;
        this.promised = promised;
        found.forEach(load -> {
            loads.put(load.loadId(), load);
            if (load.comparesStored()) {
                promised.promise(load.loadId(), load.identity(), load.segments(), leftOut(load));
            }
        });
    }

    /** Which keys were left out is not kept, but whether any were. */
    private static LeftOutKeys leftOut(PreparedLoad load) {
        return load.receipt().duplicateRows() > 0 ? LeftOutKeys.ANY : LeftOutKeys.NONE;
    }

    /** Prepares a load whose segment files and their names are durable. */
    public synchronized void add(PreparedLoad load) {
        journal.prepare(files.regionId(), load);
        loads.put(load.loadId(), load);
    }

    /** Whether the journal may name the segments of a load that {@link #add} could not prepare. */
    public boolean mayBeRecorded(String loadId) {
        return journal.mayName(files.regionId(), loadId);
    }

    /** A load will not be prepared from the segments that it has promised keys of. */
    public void withdraw(String loadId) {
        promised.end(loadId);
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

    /**
     * Opens what other prepared loads would add as layers, latest first. Meanwhile none of them can
     * end and lose its files.
     *
     * @param comparing whether only those whose rows depend on what is stored
     */
    synchronized List<PreparedLayer> openBut(
            String loadId, boolean comparing, Function<LayerDescriptor, Layer> open) {
        List<PreparedLayer> layers = new ArrayList<>();
        try {
            for (PreparedLoad load : List.copyOf(loads.values()).reversed()) {
                boolean matters = !comparing || load.comparesStored();
                if (matters && !load.loadId().equals(loadId) && !load.segments().isEmpty()) {
                    LayerDescriptor layer =
                            new LayerDescriptor(
                                    0, 0, 0, false, false, load.identity(), load.segments());
                    layers.add(new PreparedLayer(load.loadId(), open.apply(layer)));
                }
            }
            return layers;
        } catch (RuntimeException e) {
            layers.forEach(PreparedLayer::release);
            throw e;
        }
    }

    /**
     * Forgets a load that is part of the region now. One that the journal cannot be told of stays
     * known, so that whoever installs it comes back.
     */
    synchronized void forget(String loadId) {
        if (loads.containsKey(loadId)) {
            journal.end(files.regionId(), loadId);
            loads.remove(loadId);
        }
        promised.end(loadId);
    }

    /**
     * Gives up a load that will not be published.
     *
     * @return to be run once the journal is forced: removes its segments
     */
    public synchronized Optional<Runnable> giveUp(String loadId) {
        PreparedLoad load = loads.get(loadId);
        if (load == null) {
            promised.end(loadId);
            return Optional.empty();
        }
        journal.end(files.regionId(), loadId);
        loads.remove(loadId);
        promised.end(loadId);
        return Optional.of(() -> {
            for (SegmentDescriptor segment : load.segments()) {
                storage.delete(files.segment(segment.name()));
            }
        });
    }
}
