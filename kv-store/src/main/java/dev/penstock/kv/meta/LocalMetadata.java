package dev.penstock.kv.meta;

import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.JoinReply;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.ReportReply;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.storage.Storage;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.LoadRequest;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The leader. Changes run one at a time under {@code changes}: check against the state, tell the
 * region servers what must exist before, append the record, apply it ({@link Recorder}). What only
 * must go or be told afterwards (drop, install, discard) is told without that lock, because servers
 * ask back; a server that cannot be told now finds out when it joins, reports or is read.
 */
public final class LocalMetadata implements MetadataService, AutoCloseable {
    private final MetadataState state;
    private final MetadataLog log;
    private final Recorder recorder;
    private final RegionServiceLocator locator;
    private final Supplier<UUID> ids;
    private final SeenServers seen;

    private final Loaders loaders;
    private final Overview overview;
    private final TableRemoval removal;
    private final ServerJoins joins;
    private final Orders orders;
    private final RegionServiceLocator duringChange;
    private final CheckpointLogs checkpoints;
    private final ReadLeases leases;
    private final ReentrantLock changes = new ReentrantLock();

    private LocalMetadata(
            MetadataState state,
            MetadataLog log,
            CheckpointLogs checkpoints,
            RegionServiceLocator locator,
            InstantSource clock,
            Supplier<UUID> ids,
            ReadLeases leases) {
        this.loaders = new Loaders(state, clock);
        this.seen = new SeenServers(state, clock);
        this.checkpoints = checkpoints;
        this.leases = leases;
        this.state = state;
        this.log = log;
        this.recorder = new Recorder(log, state);
        this.locator = locator;
        this.ids = ids;
        this.overview = new Overview(state, loaders, locator);
        this.joins = new ServerJoins(state, seen, leases, changes, recorder);
        this.orders = new Orders(state, locator, seen, clock);
        this.duringChange = joins.duringChange(locator);
        this.removal = new TableRemoval(state, duringChange, seen, clock, recorder);
    }

    /**
     * Opens or creates the log file; loads that were running when it was closed are aborted, unless
     * they can be resumed.
     */
    public static LocalMetadata open(
            Storage storage,
            Path file,
            RegionServiceLocator locator,
            InstantSource clock,
            Supplier<UUID> ids) {
        return open(storage, file, locator, clock, ids, ReadLeases.RUN_OUT);
    }

    /**
     * The same for tests.
     *
     * @param leaseRunOut how long publishing waits for a server that cannot be told
     */
    public static LocalMetadata open(
            Storage storage,
            Path file,
            RegionServiceLocator locator,
            InstantSource clock,
            Supplier<UUID> ids,
            Duration leaseRunOut) {
        return open(
                storage, file, locator, clock, ids, leaseRunOut, FileMetadataLog.FIRST_LIMIT_BYTES);
    }

    /**
     * The same.
     *
     * @param logLimit bytes beyond which the log is written anew
     */
    static LocalMetadata open(
            Storage storage,
            Path file,
            RegionServiceLocator locator,
            InstantSource clock,
            Supplier<UUID> ids,
            Duration leaseRunOut,
            long logLimit) {
        MetadataState state = new MetadataState();
        MetadataLog log = FileMetadataLog.open(storage, file, logLimit, state::apply);
        CheckpointLogs checkpoints =
                new CheckpointLogs(
                        storage,
                        file.resolveSibling("checkpoints"),
                        loadId -> state.runningLoad(loadId).isPresent());
        LocalMetadata metadata =
                new LocalMetadata(
                        state, log, checkpoints, locator, clock, ids, new ReadLeases(leaseRunOut));
        try {
            for (LoadDescriptor load : state.runningLoads()) {
                if (!load.request().resumable()) {
                    metadata.recorder.record(new MetadataRecord.LoadAborted(load.loadId()));
                }
            }
            checkpoints.keepOnly(
                    state.runningLoads().stream()
                            .map(LoadDescriptor::loadId)
                            .collect(Collectors.toSet()));
        } catch (RuntimeException e) {
            log.close();
            throw e;
        }
        return metadata;
    }

    /** Has {@link #abortAbandoned} end loads that have waited so long to be resumed; zero: none. */
    public void endUnfinishedAfter(Duration longest) {
        loaders.endUnfinishedAfter(longest);
    }

    // Tables

    @Override
    public TableDescriptor createTable(TableSchema schema) {
        changes.lock();
        try {
            if (state.table(schema.name()).isPresent()) {
                throw PenstockException.conflict("table " + schema.name() + " exists already");
            }
            recorder.check();
            ServerDescriptor server = seen.placement(-1).next();
            TableDescriptor table = new TableDescriptor(state.newId(), schema);
            long regionId = state.newId();
            duringChange
                    .locate(server)
                    .createRegions(
                            List.of(
                                    new RegionDescriptor(
                                            regionId, table.tableId(), schema, KeyRange.ALL)));
            recorder.record(
                    new MetadataRecord.TableCreated(
                            table.tableId(), schema, regionId, server.serverId()));
            return table;
        } finally {
            joins.endChange();
        }
    }

    @Override
    public boolean dropTable(String name) {
        List<RegionAssignment> regions;
        changes.lock();
        try {
            Optional<TableDescriptor> table = state.table(name);
            if (table.isEmpty()) {
                return false;
            }
            long tableId = table.get().tableId();
            for (LoadDescriptor load : state.runningLoadsInto(tableId)) {
                throw PenstockException.conflict(
                        "table "
                                + name
                                + " cannot go while load "
                                + load.loadId()
                                + (load.request().resumable()
                                        ? " is unfinished; resume it, or end it with:"
                                                + " penstock loads "
                                                + name
                                                + " --abort "
                                                + load.loadId()
                                        : " runs"));
            }
            regions = state.regions(tableId);
            recorder.record(new MetadataRecord.TableDropped(tableId));
        } finally {
            changes.unlock();
        }
        orders.drop(regions);
        return true;
    }

    @Override
    public List<TableDescriptor> tables() {
        return state.tables();
    }

    @Override
    public Optional<TableDescriptor> table(String name) {
        return state.table(name);
    }

    @Override
    public List<RegionAssignment> regions(String table) {
        return state.regions(state.existing(table).tableId());
    }

    @Override
    public List<RegionAssignment> preSplit(String table, List<byte[]> points) {
        changes.lock();
        try {
            TableDescriptor descriptor = state.existing(table);
            recorder.check();
            if (state.runningLoadsInto(descriptor.tableId()).isEmpty()) {
                new RegionSplitter(state, duringChange, recorder)
                        .split(descriptor, points, seen.placement(descriptor.tableId()));
            }
            return state.regions(descriptor.tableId());
        } finally {
            joins.endChange();
        }
    }

    // Loads

    @Override
    public LoadDescriptor beginLoad(LoadRequest request) {
        List<LoadDescriptor> ended = new ArrayList<>();
        LoadDescriptor load;
        try {
            load = recordBegun(request, ended);
        } finally {
            ended.forEach(this::discard);
        }
        try {
            for (ServerDescriptor server : load.servers()) {
                service(server).openLoad(load);
            }
        } catch (RuntimeException e) {
            abort(load.loadId());
            throw e;
        }
        return load;
    }

    /**
     * @param ended gets the loads that are aborted for this one
     */
    private LoadDescriptor recordBegun(LoadRequest request, List<LoadDescriptor> ended) {
        changes.lock();
        try {
            TableDescriptor table = state.existing(request.table());
            loaders.endSilent(table, request, recorder::record, ended);
            loaders.checkFree(table, request.label());
            LoadDescriptor load =
                    new LoadDescriptor(
                            ids.get().toString(),
                            state.nextOrdinal(table.schema()),
                            table,
                            request,
                            state.regions(table.tableId()));
            recorder.record(
                    new MetadataRecord.LoadBegun(
                            load.loadId(), load.ordinal(), table.tableId(), request));
            loaders.hear(load.loadId());
            return load;
        } finally {
            changes.unlock();
        }
    }

    @Override
    public List<RunningLoad> runningLoads(String table, String label) {
        return state.table(table)
                .map(found -> overview.running(state.runningLoadsInto(found.tableId(), label)))
                .orElse(List.of());
    }

    @Override
    public LoadDescriptor resumeLoad(String loadId, long loader) {
        LoadDescriptor load = claim(loadId, loader);
        try (Loaders.Opening _ = loaders.opening(loadId)) {
            for (ServerDescriptor server : load.servers()) {
                service(server).openLoad(load);
            }
            // A call of the same loader that failed meanwhile may have released it.
            loaders.hear(loadId, loader);
            return load;
        } catch (RuntimeException e) {
            releaseLoad(loadId, loader);
            throw e;
        }
    }

    /** The load's new loader is recorded, or one from before could go on after a restart. */
    private LoadDescriptor claim(String loadId, long loader) {
        changes.lock();
        try {
            LoadDescriptor load = load(loadId);
            recorder.check();
            loaders.claim(load, loader, recorder::record);
            return load;
        } finally {
            changes.unlock();
        }
    }

    @Override
    public void releaseLoad(String loadId, long loader) {
        loaders.release(loadId, loader);
    }

    @Override
    public void checkpoint(String loadId, long loader, byte[] entry) {
        load(loadId);
        loaders.hear(loadId, loader);
        checkpoints.append(loadId, entry);
    }

    @Override
    public List<byte[]> checkpoints(String loadId, int from) {
        load(loadId);
        return checkpoints.read(loadId, from);
    }

    /** Has what is kept of an aborted load removed. */
    private void discard(LoadDescriptor load) {
        forgetLoader(load.loadId());
        load.servers().forEach(server -> orders.tell(server, told -> told.discard(load.loadId())));
    }

    /** Of a load that has ended. */
    private void forgetLoader(String loadId) {
        loaders.forget(loadId);
        checkpoints.remove(loadId);
    }

    @Override
    public LoadDescriptor load(String loadId) {
        return state.runningLoad(loadId).orElseThrow(() -> state.notRunning(loadId));
    }

    @Override
    public long publish(String loadId, Map<Long, Long> regionRows, String report) {
        Optional<Long> published = state.publishedEpoch(loadId);
        if (published.isPresent()) {
            return published.get();
        }
        LoadDescriptor load = load(loadId);
        load.checkComplete(regionRows.keySet());
        List<ServerDescriptor> servers = load.servers();
        List<String> serverIds = servers.stream().map(ServerDescriptor::serverId).toList();
        recorder.check();
        leases.withhold(serverIds);
        try {
            for (ServerDescriptor server : servers) {
                List<Long> hosted = load.regionsOf(server);
                leases.end(server.serverId(), () -> service(server).revokeLease(loadId, hosted));
            }
            long epoch = commitPublish(load, regionRows, report);
            forgetLoader(loadId);
            for (ServerDescriptor server : servers) {
                orders.tell(server, service -> service.install(loadId, epoch));
            }
            return epoch;
        } catch (PenstockException e) {
            // Unless another call has published it meanwhile.
            return state.publishedEpoch(loadId).orElseThrow(() -> e);
        } finally {
            // A load that may be published will be so at once when the leader has started anew.
            if (!recorder.isInDoubt()) {
                leases.allow(serverIds);
            }
        }
    }

    private long commitPublish(LoadDescriptor load, Map<Long, Long> regionRows, String report) {
        String loadId = load.loadId();
        changes.lock();
        try {
            Optional<Long> published = state.publishedEpoch(loadId);
            if (published.isPresent()) {
                return published.get();
            }
            load(loadId); // Refuses one that was aborted meanwhile.
            long epoch = state.epoch() + 1;
            long rows = regionRows.values().stream().mapToLong(Long::longValue).sum();
            recorder.record(
                    new MetadataRecord.LoadPublished(
                            loadId, epoch, rows, load.request().label().isEmpty() ? "" : report));
            return epoch;
        } finally {
            changes.unlock();
        }
    }

    @Override
    public void abort(String loadId) {
        recordAbort(loadId).ifPresent(this::clearAway);
    }

    /** Ends a load; empty if it has ended before. */
    private Optional<LoadDescriptor> recordAbort(String loadId) {
        changes.lock();
        try {
            if (state.publishedEpoch(loadId).isPresent()) {
                throw PenstockException.conflict(
                        "load " + loadId + " is published and cannot be undone");
            }
            Optional<LoadDescriptor> running = state.runningLoad(loadId);
            if (running.isPresent()) {
                recorder.record(new MetadataRecord.LoadAborted(loadId));
            }
            return running;
        } finally {
            changes.unlock();
        }
    }

    /** What servers keep of a load that has been aborted goes, without holding up other changes. */
    private void clearAway(LoadDescriptor aborted) {
        discard(aborted);
        if (aborted.request().createsTable()) {
            orders.drop(removeIfUnloaded(aborted.table(), true));
        }
    }

    @Override
    public LoadState loadState(String loadId) {
        return state.loadState(loadId);
    }

    @Override
    public LoadState signOfLife(String loadId, long loader) {
        LoadState now = state.loadState(loadId);
        if (now == LoadState.RUNNING) {
            loaders.sign(loadId, loader);
        }
        return now;
    }

    /**
     * Aborts loads that nobody works on or may resume now, records when others were heard of, and
     * has dropped what servers could not be told to drop; to be called every few seconds.
     */
    public void abortAbandoned() {
        if (recorder.isInDoubt()) {
            return;
        }
        loaders.abandoned().forEach(this::endAbandoned);
        loaders.unrecorded().forEach(this::recordHeard);
        loaders.expired().forEach(this::endExpired);
        dropUnloadedTables();
        orders.dropAgain();
    }

    /** Unless somebody has resumed it since it was found. */
    private void endExpired(String loadId) {
        Optional<LoadDescriptor> ended;
        changes.lock();
        try {
            ended = loaders.expired().contains(loadId) ? recordAbort(loadId) : Optional.empty();
        } finally {
            changes.unlock();
        }
        ended.ifPresent(this::clearAway);
    }

    private void recordHeard(String loadId, Instant when) {
        changes.lock();
        try {
            Optional<Long> loader = state.loader(loadId);
            if (loader.isPresent()) {
                recorder.record(
                        new MetadataRecord.LoaderHeard(loadId, loader.get(), when.toEpochMilli()));
            }
        } catch (PenstockException e) {
            // The next call tries again; whoever changes something meets the same fault.
        } finally {
            changes.unlock();
        }
    }

    private void endAbandoned(String loadId) {
        if (state.runningLoad(loadId).filter(load -> load.request().resumable()).isPresent()) {
            loaders.silence(loadId);
        } else {
            abort(loadId);
        }
    }

    /**
     * Drops tables that loads created which came to nothing, if nobody has stored rows in them. One
     * whose servers do not report or could not be asked lately is left for a later call.
     */
    public void dropUnloadedTables() {
        for (TableDescriptor table : state.unloadedTables()) {
            orders.drop(removeIfUnloaded(table, false));
        }
    }

    /** The regions of the table if it has gone. */
    private List<RegionAssignment> removeIfUnloaded(TableDescriptor table, boolean now) {
        changes.lock();
        try {
            recorder.check();
            return removal.removeIfUnloaded(table, now);
        } catch (PenstockException e) {
            return List.of();
        } finally {
            joins.endChange();
        }
    }

    @Override
    public Optional<LabelledLoad> labelled(String table, String label) {
        return state.table(table).flatMap(found -> state.labelled(found.tableId(), label));
    }

    @Override
    public long epoch() {
        return state.epoch();
    }

    @Override
    public PublishedPage publishedSince(long epoch) {
        return state.publishedSince(epoch, MetadataState.PUBLISHED_PAGE_BYTES);
    }

    // Servers

    @Override
    public JoinReply join(ServerDescriptor server) {
        return joins.join(server);
    }

    @Override
    public ReportReply report(ServerDescriptor server) {
        return joins.report(server);
    }

    @Override
    public List<ServerDescriptor> servers() {
        return state.servers();
    }

    /** Why the latest order to a server could not be told, by server id, unless it could. */
    public Map<String, PenstockException> untold() {
        return orders.untold();
    }

    @Override
    public ClusterStatus status() {
        return overview.status();
    }

    @Override
    public void close() {
        changes.lock();
        try {
            loaders.unrecorded().forEach(this::recordHeard);
            checkpoints.close();
            log.close();
        } finally {
            changes.unlock();
        }
    }

    private RegionService service(ServerDescriptor server) {
        return locator.locate(server);
    }
}
