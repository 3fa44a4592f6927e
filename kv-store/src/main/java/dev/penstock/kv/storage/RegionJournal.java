package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.kv.storage.QuietFailures.Upkeep;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One log for all regions of a server, so that what a load does to many of them is forced once and
 * not once for each: which regions exist that have no manifest of their own yet (young ones), which
 * loads made them up, and which loads are prepared, in young regions or others.
 *
 * <p>A region stays young until it gets anything else than a load: the first single row, flush or
 * compaction. Then it gets a {@link Manifest} of its own, durable before the journal hears of it,
 * and where there is a manifest the journal's word on what makes up the region counts no more.
 *
 * <p>What survives. Records are appended at once and durable after {@link #force}; in a log the
 * durable part is always a beginning, so none survives without those before it.
 *
 * <ul>
 *   <li>Created: forced before the leader is told that the region exists.
 *   <li>Prepared: appended after the load's segments, their names and the name of the region's
 *       folder were forced, so that it never names what may be missing; forced before anyone is
 *       given the receipt, without which the leader publishes nothing.
 *   <li>Installed: forced before readers are given the load's epoch. If it is lost the load is
 *       still prepared, and the leader says that it is published: it is installed again. No single
 *       row can have come on top meanwhile, since the first one gives the region a manifest, with
 *       the load in it, before its log is created.
 *   <li>Ended, of an installed load: not forced. If it is lost, installing again finds the load
 *       there. Of one given up: forced before the segments go.
 *   <li>Grown, dropped: if they are lost, the manifest that exists, or the leader, who assigns the
 *       region no more, have the last word.
 * </ul>
 *
 * <p>The file is made by the first record. When it gets long it is written anew, beside the old one
 * and then renamed over it. Thread-safe; threads that force at the same time share one force.
 */
public final class RegionJournal implements AutoCloseable {
    /** Thousands of regions or of loads; every start reads all of it. */
    private static final long FIRST_LIMIT_BYTES = 4L << 20;

    private final Storage storage;
    private final Path path;
    private final long firstLimit;
    private final SharedSchemas schemas = new SharedSchemas();

    /** Held while forcing and while the file is replaced; taken before the monitor. */
    private final ReentrantLock forcing = new ReentrantLock();

    /** Published loads whose rejects are still to be forgotten. Guarded by itself. */
    private final Set<String> rejectsDue = new HashSet<>();

    // Guarded by this
    private final Map<Long, ManifestState> young = new TreeMap<>();
    private final Map<Long, Map<String, PreparedLoad>> prepared = new TreeMap<>();
    private final ReceiptBytes receiptBytes = new ReceiptBytes();
    private @Nullable LogWriter writer;
    private long limit;

    private RegionJournal(Storage storage, Path path, long firstLimit) {
        this.storage = storage;
        this.path = path;
        this.firstLimit = firstLimit;
        this.limit = firstLimit;
    }

    /** Reads the journal, if there is one. */
    public static RegionJournal open(Storage storage, Path path) {
        return open(storage, path, FIRST_LIMIT_BYTES);
    }

    /**
     * The same for tests.
     *
     * @param firstLimit bytes beyond which the file is written anew
     */
    static RegionJournal open(Storage storage, Path path, long firstLimit) {
        RegionJournal journal = new RegionJournal(storage, path, firstLimit);
        journal.read();
        return journal;
    }

    private synchronized void read() {
        LogWriter.removeUnfinished(storage, path);
        if (!storage.exists(path)) {
            return;
        }
        LogReader.Outcome outcome =
                LogReader.recover(
                        storage,
                        path,
                        LogKind.JOURNAL,
                        0,
                        (sequence, payload) ->
                                apply(
                                        JournalRecordCodec.get(
                                                new ByteParser(
                                                        payload,
                                                        "record " + sequence + " of " + path))));
        writer = LogWriter.resume(storage, path, LogKind.JOURNAL, 0, outcome.lastSequence());
    }

    private void apply(JournalRecord journalRecord) {
        long regionId = journalRecord.regionId();
        switch (journalRecord) {
            case JournalRecord.Changed r ->
                    young.computeIfAbsent(regionId, id -> new ManifestState())
                            .apply(schemas.share(r.change()));
            case JournalRecord.Grown _ -> young.remove(regionId);
            case JournalRecord.Dropped _ -> {
                young.remove(regionId);
                prepared(regionId).forEach(load -> receiptBytes.remove(load.loadId(), regionId));
                prepared.remove(regionId);
            }
            case JournalRecord.Prepared r -> {
                prepared.computeIfAbsent(regionId, id -> new LinkedHashMap<>())
                        .put(r.load().loadId(), r.load());
                receiptBytes.keep(r.load());
            }
            case JournalRecord.Ended r -> {
                prepared.computeIfPresent(
                        regionId,
                        (id, loads) -> {
                            loads.remove(r.loadId());
                            return loads.isEmpty() ? null : loads;
                        });
                receiptBytes.remove(r.loadId(), regionId);
            }
        }
    }

    // What it says

    /** Regions without a manifest of their own, as far as the journal knows. */
    public synchronized Set<Long> youngRegions() {
        return Set.copyOf(young.keySet());
    }

    /** What makes up a young region; from now on changed by its {@link Manifest} only. */
    synchronized Optional<ManifestState> state(long regionId) {
        return Optional.ofNullable(young.get(regionId));
    }

    /** Loads that are prepared in a region, in the order in which that happened. */
    public synchronized List<PreparedLoad> prepared(long regionId) {
        return List.copyOf(prepared.getOrDefault(regionId, Map.of()).values());
    }

    /** What the receipts of prepared loads take, and others that are being made. */
    public ReceiptBytes receiptBytes() {
        return receiptBytes;
    }

    /** Of all regions of the server, those with a manifest too. */
    public SharedSchemas schemas() {
        return schemas;
    }

    // Changes; durable after force

    void change(long regionId, ManifestRecord change) {
        append(new JournalRecord.Changed(regionId, change));
    }

    /** The region has a manifest; does nothing if that is known. */
    void grown(long regionId) {
        if (state(regionId).isPresent()) {
            append(new JournalRecord.Grown(regionId));
        }
    }

    /** Forgets a region; does nothing if there is nothing to forget. */
    public void dropped(long regionId) {
        if (state(regionId).isPresent() || !prepared(regionId).isEmpty()) {
            append(new JournalRecord.Dropped(regionId));
            forgetDueRejects();
        }
    }

    /** Segments, their names and the region's folder are durable. */
    public void prepare(long regionId, PreparedLoad load) {
        append(new JournalRecord.Prepared(regionId, load));
    }

    /** A prepared load is installed or given up. */
    public void end(long regionId, String loadId) {
        append(new JournalRecord.Ended(regionId, loadId));
        forgetDueRejects();
    }

    /** The same in all regions in which it is prepared, damaged ones too. */
    public void end(String loadId) {
        regionsWith(loadId).forEach(regionId -> end(regionId, loadId));
    }

    /**
     * A load is published, and installed but in damaged or late regions. There it stays prepared,
     * for the case that they are mended; but nobody asks for its rejects any more, and they take
     * room. If that cannot be recorded they go on taking it, until it can be.
     */
    public void published(String loadId) {
        synchronized (rejectsDue) {
            rejectsDue.add(loadId);
        }
        forgetDueRejects();
    }

    /** One at a time, so that what is said of the latest attempt is true. */
    private void forgetDueRejects() {
        synchronized (rejectsDue) {
            if (!rejectsDue.isEmpty()) {
                storage.quietFailures()
                        .attempt(
                                Upkeep.FORGET_REJECTS,
                                path,
                                () -> {
                                    for (String loadId : List.copyOf(rejectsDue)) {
                                        forgetRejects(loadId);
                                        rejectsDue.remove(loadId);
                                    }
                                });
            }
        }
    }

    private void forgetRejects(String loadId) {
        for (long regionId : regionsWith(loadId)) {
            append(() ->
                    prepared(regionId).stream()
                            .filter(load -> load.loadId().equals(loadId))
                            .filter(load -> !load.receipt().rejects().isEmpty())
                            .findFirst()
                            .map(load ->
                                    new JournalRecord.Prepared(regionId, load.withoutRejects())));
        }
    }

    private synchronized List<Long> regionsWith(String loadId) {
        List<Long> regions = new ArrayList<>();
        prepared.forEach((regionId, loads) -> {
            if (loads.containsKey(loadId)) {
                regions.add(regionId);
            }
        });
        return regions;
    }

    /**
     * Whether a load that could not be prepared may be in the file nevertheless: it was written and
     * something failed afterwards, or a write has failed and could not be undone.
     */
    public synchronized boolean mayName(long regionId, String loadId) {
        return prepared.getOrDefault(regionId, Map.of()).containsKey(loadId)
                || (writer != null && writer.isBroken());
    }

    private void append(JournalRecord journalRecord) {
        append(() -> Optional.of(journalRecord));
    }

    /** Appends what is there to be said; nothing else changes while that is asked. */
    private void append(Supplier<Optional<JournalRecord>> due) {
        boolean tooLong;
        synchronized (this) {
            Optional<JournalRecord> found = due.get();
            if (found.isEmpty()) {
                return;
            }
            JournalRecord journalRecord = found.get();
            LogWriter log = writer;
            if (log == null) {
                log = LogWriter.create(storage, path, LogKind.JOURNAL, 0);
                writer = log;
            }
            append(log, journalRecord);
            apply(journalRecord);
            tooLong = log.bytes() > limit;
        }
        if (tooLong) {
            shorten();
        }
    }

    private static void append(LogWriter log, JournalRecord journalRecord) {
        ByteBuilder payload = new ByteBuilder(512);
        JournalRecordCodec.put(journalRecord, payload);
        log.append(payload.array(), payload.length());
    }

    /** Makes everything durable that was appended before. */
    public void force() {
        forcing.lock();
        try {
            LogWriter log;
            synchronized (this) {
                log = writer;
            }
            if (log != null && log.forcedSequence() < log.lastSequence()) {
                log.force();
            }
        } finally {
            forcing.unlock();
        }
    }

    // Keeping it short

    /** If this fails the long log goes on. */
    private void shorten() {
        forcing.lock();
        try {
            synchronized (this) {
                LogWriter old = writer;
                if (old == null || old.bytes() <= limit) {
                    return;
                }
                limit = 2 * old.bytes();
                storage.quietFailures().attempt(Upkeep.SHORTEN, path, () -> writeAnew(old));
            }
        } finally {
            forcing.unlock();
        }
    }

    private synchronized void writeAnew(LogWriter old) {
        writer = LogWriter.create(storage, path, LogKind.JOURNAL, 0, this::putAll);
        limit = Math.max(firstLimit, 2 * writer.bytes());
        old.close();
    }

    private void putAll(LogWriter log) {
        young.forEach((regionId, state) -> {
            ManifestRecord created = new ManifestRecord.Created(state.region());
            append(log, new JournalRecord.Changed(regionId, created));
            append(log, new JournalRecord.Changed(regionId, state.snapshot()));
        });
        prepared.forEach((regionId, loads) -> {
            for (PreparedLoad load : new ArrayList<>(loads.values())) {
                append(log, new JournalRecord.Prepared(regionId, load));
            }
        });
    }

    @Override
    public synchronized void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
