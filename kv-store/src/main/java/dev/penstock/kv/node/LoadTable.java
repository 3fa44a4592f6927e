package dev.penstock.kv.node;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.ingest.LoadIntake;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.ingest.StagingMemory;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.kv.storage.Storage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The running loads of a server by id. Thread-safe. */
final class LoadTable {
    private final Storage storage;
    private final RegionJournal journal;
    private final StagingMemory memory;
    private final Path directory;
    private final ThreadPoolExecutor earlyMerges = oneThread();
    private final Map<String, LoadIntake> loads = new ConcurrentHashMap<>();

    /** Starts without loads: what an earlier process staged and did not prepare is lost. */
    LoadTable(Storage storage, RegionJournal journal, StagingLimits limits, Path directory) {
        this.storage = storage;
        this.journal = journal;
        this.memory = new StagingMemory(limits);
        this.directory = directory;
        storage.deleteTree(directory);
        storage.createDirectories(directory);
    }

    /** So that loader threads keep most of the processors. It ends when it has nothing to do. */
    private static ThreadPoolExecutor oneThread() {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(
                        1,
                        1,
                        1,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().name("penstock-early-merge-", 0).daemon().factory());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Idempotent. */
    void open(LoadDescriptor load, List<Region> regions, String serverName) {
        loads.computeIfAbsent(
                load.loadId(),
                id ->
                        new LoadIntake(
                                load,
                                regions,
                                storage,
                                memory,
                                directory,
                                earlyMerges,
                                serverName));
    }

    LoadIntake get(String loadId) {
        LoadIntake load = loads.get(loadId);
        if (load == null) {
            throw PenstockException.conflict(
                    "load "
                            + loadId
                            + " is not open on this server: it has ended, or the server has"
                            + " started anew since it began; load again");
        }
        return load;
    }

    boolean involve(long regionId) {
        return loads.values().stream().anyMatch(load -> load.involves(regionId));
    }

    /** Forgets a load whose prepared parts are installed. */
    void published(String loadId) {
        LoadIntake load = loads.remove(loadId);
        if (load != null) {
            load.close();
        }
    }

    /** Removes every trace of an unpublished load. */
    void discard(String loadId, Collection<Region> regions) {
        LoadIntake load = loads.remove(loadId);
        if (load != null) {
            load.discard();
        }
        List<Runnable> removals = new ArrayList<>();
        for (Region region : regions) {
            region.prepared().giveUp(loadId).ifPresent(removals::add);
        }
        if (!removals.isEmpty()) {
            journal.force();
            removals.forEach(Runnable::run);
        }
    }

    /** Lets go of all files; what is not prepared is lost. */
    void close() {
        try {
            loads.values().forEach(LoadIntake::abandon);
        } finally {
            earlyMerges.shutdown();
            memory.close();
        }
    }

    Set<String> ids() {
        return Set.copyOf(loads.keySet());
    }

    List<LoadProgress> progress() {
        return loads.values().stream().flatMap(load -> load.progress().stream()).toList();
    }
}
