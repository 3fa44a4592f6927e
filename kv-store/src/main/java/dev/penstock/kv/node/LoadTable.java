package dev.penstock.kv.node;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.ingest.KeptSteps;
import dev.penstock.kv.ingest.LoadIntake;
import dev.penstock.kv.ingest.ReceiptRoom;
import dev.penstock.kv.ingest.Rehearsal;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.ingest.StagingMemory;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.BriefThreads;
import dev.penstock.kv.storage.LastClose;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.kv.storage.Storage;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The running loads of a server by id. One that can be resumed sleeps while it is nothing but its
 * log: since the server has started, or since {@link #putToSleep}. Thread-safe.
 */
final class LoadTable {
    private static final int OPENING_AT_A_TIME = 64;

    private final Storage storage;
    private final RegionJournal journal;
    private final LastClose lastClose;
    private final StagingMemory memory;
    private final ReceiptRoom receiptRoom;
    private final KeptSteps keptSteps = new KeptSteps();
    private final InstantSource clock;
    private final Path directory;

    /** Logs of loads that can be resumed. */
    private final Path logs;

    /** Loads that are a log only. */
    private final Set<String> asleep = ConcurrentHashMap.newKeySet();

    /**
     * Names of their tables by the ids of loads that this process has opened. All that it has
     * acknowledged of a sleeping one is in the log, so it wakes if somebody uses it; what an
     * earlier process has acknowledged need not be, and only the leader opens such a load, for a
     * loader that resumes it.
     */
    private final Map<String, String> tables = new ConcurrentHashMap<>();

    /** One thread, so that loader threads keep most of the processors. */
    private final ThreadPoolExecutor earlyMerges = BriefThreads.of("penstock-early-merge", 1);

    private final ThreadPoolExecutor mergeHelp =
            BriefThreads.of("penstock-merge-help", Runtime.getRuntime().availableProcessors());
    private final Map<String, OpenLoad> loads = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private final ThreadPoolExecutor rehearsals = BriefThreads.of("penstock-rehearsal", 1);
    private final Rehearsal rehearsal = new Rehearsal(rehearsals, this::isIdle);

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
     * @param clock tells for how long nobody has used a load
     */
    LoadTable(
            Storage storage,
            RegionJournal journal,
            LastClose lastClose,
            StagingLimits limits,
            long receiptBytes,
            Function<String, Optional<LoadDescriptor>> running,
            InstantSource clock,
            Path directory,
            Path logs) {
        this.storage = storage;
        this.journal = journal;
        this.lastClose = lastClose;
        this.memory = new StagingMemory(limits);
        this.receiptRoom = new ReceiptRoom(journal.receiptBytes(), receiptBytes, running);
        this.clock = clock;
        this.directory = directory;
        this.logs = logs;
        Arrays.setAll(opening, _ -> new ReentrantLock());
        storage.list(logs).forEach(log -> asleep.add(String.valueOf(log.getFileName())));
        storage.deleteTree(directory);
        storage.createDirectories(directory);
    }

    /**
     * Idempotent. A load that can be resumed is read from its log, if it sleeps or a merge or
     * staging has failed here and needs all fragments once more.
     */
    void open(LoadDescriptor load, List<Region> regions, String serverName) {
        Lock lock = opening(load.loadId());
        lock.lock();
        try {
            openAlone(load, regions, serverName);
        } finally {
            lock.unlock();
        }
    }

    private Lock opening(String loadId) {
        return opening[Math.floorMod(loadId.hashCode(), opening.length)];
    }

    private void openAlone(LoadDescriptor load, List<Region> regions, String serverName) {
        OpenLoad known = loads.get(load.loadId());
        if (known != null && load.request().resumable() && known.intake().isSpent()) {
            loads.remove(load.loadId());
            known.intake().abandon();
            known = null;
        }
        if (known != null) {
            known.touch();
        } else {
            Path log = logs.resolve(LoadIntake.checkedName(load.loadId()));
            lastClose.damage(log).ifPresent(LoadTable::refuse);
            LoadIntake intake = begin(load, regions, serverName);
            tables.put(load.loadId(), load.table().schema().name());
            loads.put(load.loadId(), new OpenLoad(intake, clock));
            asleep.remove(load.loadId());
        }
    }

    private LoadIntake begin(LoadDescriptor load, List<Region> regions, String serverName) {
        try {
            return new LoadIntake(
                    load,
                    regions,
                    storage,
                    memory,
                    receiptRoom,
                    rehearsal,
                    keptSteps,
                    directory,
                    logs,
                    earlyMerges,
                    mergeHelp,
                    serverName);
        } catch (RuntimeException | Error e) {
            // It may have a log or a part of one, which goes when the load is aborted.
            if (load.request().resumable()) {
                asleep.add(load.loadId());
            }
            throw e;
        }
    }

    private static void refuse(PenstockException damage) {
        throw damage;
    }

    /** Empty if it is not open here. */
    Optional<OpenLoad.Use> use(String loadId) {
        return Optional.ofNullable(loads.get(loadId)).flatMap(OpenLoad::use);
    }

    /** The name of the table of a load that is open here, or may be woken. */
    Optional<String> table(String loadId) {
        return Optional.ofNullable(tables.get(loadId));
    }

    boolean involve(long regionId) {
        return loads.values().stream().anyMatch(load -> load.intake().involves(regionId));
    }

    /** Open loads that can be resumed and that nobody has used lately. */
    List<LoadIntake> idle() {
        return loads.values().stream()
                .filter(load -> load.intake().descriptor().request().resumable())
                .filter(OpenLoad::isIdle)
                .map(OpenLoad::intake)
                .toList();
    }

    /** An idle load is to stay open for now. */
    void keepAwake(String loadId) {
        OpenLoad load = loads.get(loadId);
        if (load != null) {
            load.touch();
        }
    }

    /**
     * Forces what a load that can be resumed has in its log and lets go of everything else, unless
     * somebody uses it again.
     *
     * @throws PenstockException if the log cannot be forced; the load stays open
     */
    void putToSleep(String loadId) {
        Lock lock = opening(loadId);
        if (!lock.tryLock()) {
            // Whoever holds it may read gigabytes, and nobody waits for a load to sleep.
            return;
        }
        try {
            OpenLoad load = loads.get(loadId);
            if (load != null && load.isIdle()) {
                load.intake().force();
                leaveLog(loadId, load);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whoever wants to use the load from here on has it opened, and waits for the lock. */
    private void leaveLog(String loadId, OpenLoad load) {
        if (load.endIfIdle() && loads.remove(loadId, load)) {
            try {
                load.intake().leaveLog();
            } finally {
                asleep.add(loadId);
            }
        }
    }

    /**
     * Frees staging memory and the memory of steps if there have been no loads lately; to be called
     * every few seconds.
     */
    void freeUnusedMemory() {
        memory.freeUnused(clock.instant());
        keptSteps.forgetUnused(clock.instant());
    }

    private boolean isIdle() {
        return !closed && loads.isEmpty();
    }

    /** Whether this server would be done with text at once. */
    boolean isReadyForText() {
        return rehearsal.isReady();
    }

    /** Whether a load was opened here before, by this process or, if it has a log, another. */
    boolean knows(String loadId) {
        return tables.containsKey(loadId) || asleep.contains(loadId);
    }

    /** Forgets a load whose prepared parts are installed. */
    void published(String loadId) {
        OpenLoad load = loads.get(loadId);
        if (load != null) {
            load.intake().keepSteps(clock.instant());
        }
        discardOpen(loadId);
        journal.published(loadId);
    }

    /** Removes what is neither prepared nor installed. */
    private void discardOpen(String loadId) {
        OpenLoad load = loads.remove(loadId);
        if (load != null) {
            load.intake().discard();
            rehearsal.loadEnded();
        }
        tables.remove(loadId);
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
        discardOpen(loadId);
        List<Runnable> removals = new ArrayList<>();
        try {
            for (Region region : regions) {
                region.prepared().giveUp(loadId).ifPresent(removals::add);
            }
        } finally {
            // Of regions that have given up nobody would find the files again.
            if (!removals.isEmpty()) {
                journal.force();
                removals.forEach(Runnable::run);
            }
        }
        // What is left is prepared in damaged regions, and would take room for ever.
        journal.end(loadId);
    }

    /** Lets go of all files; what is not prepared is lost. */
    void close() {
        closed = true;
        rehearsal.close();
        try {
            loads.values().forEach(load -> load.intake().abandon());
        } finally {
            earlyMerges.shutdown();
            mergeHelp.shutdown();
            rehearsals.shutdown();
            keptSteps.forget();
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
                        loads.values().stream().flatMap(load -> load.intake().progress().stream()),
                        asleep.stream().map(id -> LoadIntake.asleep(storage, logs, id)))
                .toList();
    }
}
