package dev.penstock.kv.node;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.ingest.LoadIntake;
import dev.penstock.kv.ingest.ReceiptRoom;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.ingest.StagingMemory;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.LastClose;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.kv.storage.Storage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;

/** The running loads of a server by id. Thread-safe. */
final class LoadTable {
    private static final int OPENING_AT_A_TIME = 64;

    private final Storage storage;
    private final RegionJournal journal;
    private final LastClose lastClose;
    private final StagingMemory memory;
    private final ReceiptRoom receiptRoom;
    private final Path directory;

    /** Logs of loads that can be resumed. */
    private final Path logs;

    /** Loads of which an earlier process has left a log, and that nobody has resumed yet. */
    private final Set<String> asleep = ConcurrentHashMap.newKeySet();

    private final ThreadPoolExecutor earlyMerges = oneThread();
    private final Map<String, LoadIntake> loads = new ConcurrentHashMap<>();

    /**
     * One of them is held while a load is opened, which may read gigabytes of its log: two that
     * open the same load must not both do so, others need not wait.
     */
    private final Lock[] opening = new Lock[OPENING_AT_A_TIME];

    /**
     * Starts without loads: what an earlier process staged and did not prepare is lost, but for the
     * logs of loads that can be resumed.
     *
     * @param receiptBytes heap for rejects and named keys of prepared loads
     * @param running a load of the store by its id, if it is known to run
     */
    LoadTable(
            Storage storage,
            RegionJournal journal,
            LastClose lastClose,
            StagingLimits limits,
            long receiptBytes,
            Function<String, Optional<LoadDescriptor>> running,
            Path directory,
            Path logs) {
        this.storage = storage;
        this.journal = journal;
        this.lastClose = lastClose;
        this.memory = new StagingMemory(limits);
        this.receiptRoom = new ReceiptRoom(journal.receiptBytes(), receiptBytes, running);
        this.directory = directory;
        this.logs = logs;
        Arrays.setAll(opening, _ -> new ReentrantLock());
        storage.list(logs).forEach(log -> asleep.add(String.valueOf(log.getFileName())));
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

    /**
     * Idempotent. A load that can be resumed is read from its log, if an earlier process wrote one
     * or a merge or staging has failed here and needs all fragments once more.
     */
    void open(LoadDescriptor load, List<Region> regions, String serverName) {
        Lock lock = opening[Math.floorMod(load.loadId().hashCode(), opening.length)];
        lock.lock();
        try {
            openAlone(load, regions, serverName);
        } finally {
            lock.unlock();
        }
    }

    private void openAlone(LoadDescriptor load, List<Region> regions, String serverName) {
        LoadIntake known = loads.get(load.loadId());
        if (known != null && load.request().resumable() && known.isSpent()) {
            loads.remove(load.loadId());
            known.abandon();
            known = null;
        }
        if (known == null) {
            Path log = logs.resolve(LoadIntake.checkedName(load.loadId()));
            lastClose.damage(log).ifPresent(LoadTable::refuse);
            loads.put(
                    load.loadId(),
                    new LoadIntake(
                            load,
                            regions,
                            storage,
                            memory,
                            receiptRoom,
                            directory,
                            logs,
                            earlyMerges,
                            serverName));
            asleep.remove(load.loadId());
        }
    }

    private static void refuse(PenstockException damage) {
        throw damage;
    }

    LoadIntake get(String loadId) {
        return find(loadId)
                .orElseThrow(() ->
                        PenstockException.conflict(
                                "load "
                                        + loadId
                                        + " is not open on this server: it has ended, or the server"
                                        + " has started anew since it began; load again"));
    }

    /** Empty if it is not open here. */
    Optional<LoadIntake> find(String loadId) {
        return Optional.ofNullable(loads.get(loadId));
    }

    boolean involve(long regionId) {
        return loads.values().stream().anyMatch(load -> load.involves(regionId));
    }

    /** Forgets a load whose prepared parts are installed. */
    void published(String loadId) {
        LoadIntake load = loads.remove(loadId);
        if (load != null) {
            load.discard();
        }
        forget(loadId);
        journal.published(loadId);
    }

    /** Removes the log of a load that nobody has resumed. */
    private void forget(String loadId) {
        if (asleep.remove(loadId)) {
            storage.deleteTree(logs.resolve(loadId));
        }
    }

    /**
     * Removes every trace of an unpublished load, but for files of damaged regions.
     *
     * @param regions all undamaged ones
     */
    void discard(String loadId, Collection<Region> regions) {
        LoadIntake load = loads.remove(loadId);
        if (load != null) {
            load.discard();
        }
        forget(loadId);
        List<Runnable> removals = new ArrayList<>();
        for (Region region : regions) {
            region.prepared().giveUp(loadId).ifPresent(removals::add);
        }
        if (!removals.isEmpty()) {
            journal.force();
            removals.forEach(Runnable::run);
        }
        // What is left is prepared in damaged regions, and would take room for ever.
        journal.end(loadId);
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

    /** Loads that this server keeps anything of that is not prepared, or rejects in a receipt. */
    Set<String> ids() {
        Set<String> ids = new HashSet<>(asleep);
        ids.addAll(loads.keySet());
        ids.addAll(journal.receiptBytes().loadIds());
        return ids;
    }

    List<LoadProgress> progress() {
        return Stream.concat(
                        loads.values().stream().flatMap(load -> load.progress().stream()),
                        asleep.stream().map(id -> LoadIntake.asleep(storage, logs, id)))
                .toList();
    }
}
