package dev.penstock.kv.node;

import dev.penstock.error.PenstockException;
import dev.penstock.kernel.KernelSelection;
import dev.penstock.kv.api.JoinReply;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.ReportReply;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.compact.CompactionLoop;
import dev.penstock.kv.compact.Compactor;
import dev.penstock.kv.meta.LocalMetadata;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.RegionContext;
import dev.penstock.kv.region.RowMemory;
import dev.penstock.kv.storage.BriefThreads;
import dev.penstock.kv.storage.FileFault;
import dev.penstock.kv.storage.LastClose;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.kv.storage.OpenSegments;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.kv.storage.Storage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A region server over a data folder, and the leader too if the folder holds the metadata:
 *
 * <pre>
 *   lock        held while the server runs
 *   identity    the server's id
 *   closed      where the logs ended when the folder was closed, if it was and is
 *   metadata    the leader's log
 *   journal     what many regions made durable at once
 *   regions/    a folder for each region that has rows
 *   staging/    what running loads have sent and is not prepared; emptied at every start
 *   resume/     the same of loads that can be resumed, as logs, until the loads end
 *   checkpoints/  the leader's, of what these loads have done
 * </pre>
 *
 * <p>Life: open (nothing is served yet), {@link #start} with the address, {@link #heartbeat} every
 * few seconds, {@link #close}. Everything acknowledged survives the process at any point.
 */
public final class RegionServerNode implements AutoCloseable {
    private final FolderLock lock;
    private final @Nullable LocalMetadata localMetadata;
    private final MetadataService metadata;
    private final Storage storage;
    private final RegionJournal journal;
    private final LastClose lastClose;
    private final RegionTable regions;
    private final LoadTable loads;
    private final CatchUp catchUp;
    private final LocalRegionService service;
    private final String serverId;
    private final NodeOptions options;
    private @Nullable CompactionLoop compaction;
    private @Nullable ServerDescriptor self;
    private Consumer<String> log = line -> {};
    private FailureLog failureLog = new FailureLog(log);

    private RegionServerNode(
            Path folder,
            Storage storage,
            LastClose lastClose,
            RegionJournal journal,
            NodeOptions options,
            FolderLock lock,
            String serverId,
            @Nullable RegionServiceLocator others,
            @Nullable MetadataService leader) {
        KernelSelection.readVectorsLate(task -> BriefThreads.run("penstock-warm-up", task));
        this.lock = lock;
        this.options = options;
        this.serverId = serverId;
        this.storage = storage;
        this.journal = journal;
        this.lastClose = lastClose;
        RegionContext context =
                new RegionContext(
                        storage,
                        journal,
                        new OpenSegments(options.readerBytes(), options.maxSegments()),
                        options.clock(),
                        options.flushBytes(),
                        new RowMemory(options.rowMemoryBytes()),
                        new Semaphore(options.mergesAtOnce()));
        this.regions = new RegionTable(context, lastClose, folder.resolve("regions"));
        this.loads =
                new LoadTable(
                        storage,
                        journal,
                        lastClose,
                        options.staging(),
                        options.receiptBytes(),
                        this::running,
                        options.clock(),
                        folder.resolve("staging"),
                        folder.resolve("resume"));
        if (leader != null) {
            this.localMetadata = null;
            this.metadata = leader;
        } else {
            this.localMetadata =
                    LocalMetadata.open(
                            storage,
                            folder.resolve("metadata"),
                            server -> locate(server, others),
                            options.clock(),
                            options.ids());
            localMetadata.endUnfinishedAfter(options.unfinishedLoads());
            this.metadata = localMetadata;
        }
        this.catchUp = new CatchUp(metadata, regions, loads);
        this.service = new LocalRegionService(regions, loads, catchUp, serverId);
    }

    /** As the leader says, for messages: empty too if it cannot say anything. */
    private Optional<LoadDescriptor> running(String loadId) {
        try {
            return Optional.of(metadata.load(loadId));
        } catch (PenstockException e) {
            return Optional.empty();
        }
    }

    private RegionService locate(ServerDescriptor server, @Nullable RegionServiceLocator others) {
        if (server.serverId().equals(serverId)) {
            return service;
        }
        if (others == null) {
            throw PenstockException.conflict(
                    "server "
                            + server.address()
                            + " belongs to this store, but an embedded store reaches no servers;"
                            + " serve the folder instead");
        }
        return others.locate(server);
    }

    /**
     * Opens a folder as a leader with a region server of its own.
     *
     * @param others the way to other servers, or null if there can be none
     * @throws PenstockException of category {@code CONFLICT} naming the process that has it open
     */
    public static RegionServerNode openLeader(
            Path folder, NodeOptions options, @Nullable RegionServiceLocator others) {
        return open(folder, new NioStorage(), options, others, null);
    }

    /**
     * Whether a folder is a server's. One that cannot be looked at is taken for one, so that
     * opening it says why.
     */
    public static boolean mayBeIn(Path folder) {
        return ServerIdentity.mayBeIn(folder);
    }

    /** Opens a folder as a region server of a cluster that another process leads. */
    public static RegionServerNode openMember(
            Path folder, NodeOptions options, MetadataService leader) {
        return open(folder, new NioStorage(), options, null, leader);
    }

    /** The same over another storage. */
    static RegionServerNode open(
            Path folder,
            Storage storage,
            NodeOptions options,
            @Nullable RegionServiceLocator others,
            @Nullable MetadataService leader) {
        storage.createDirectories(folder.toAbsolutePath());
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw PenstockException.io(
                    "cannot create the data folder " + folder + ": " + FileFault.reason(e), e);
        }
        FolderLock lock = FolderLock.take(folder);
        try {
            String serverId = ServerIdentity.readOrCreate(storage, folder, options.ids());
            boolean lost =
                    leader == null
                            && !storage.exists(folder.resolve("metadata"))
                            && (storage.exists(folder.resolve("journal"))
                                    || !storage.list(folder.resolve("regions")).isEmpty());
            if (lost) {
                throw PenstockException.conflict(
                        folder
                                + " holds regions but no metadata: it belongs to a server that"
                                + " joined another one; start it with --join");
            }
            return open(folder, storage, options, lock, serverId, others, leader);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static RegionServerNode open(
            Path folder,
            Storage storage,
            NodeOptions options,
            FolderLock lock,
            String serverId,
            @Nullable RegionServiceLocator others,
            @Nullable MetadataService leader) {
        LastClose lastClose = LastClose.open(storage, folder);
        RegionJournal journal = RegionJournal.open(storage, folder.resolve("journal"));
        try {
            return new RegionServerNode(
                    folder, storage, lastClose, journal, options, lock, serverId, others, leader);
        } catch (RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    /** Opens the regions, joins the leader, installs what was published meanwhile, and serves. */
    public void start(String address) {
        start(address, line -> {});
    }

    /**
     * The same.
     *
     * @param backgroundLog takes lines about what happens in the background
     */
    public void start(String address, Consumer<String> backgroundLog) {
        log = backgroundLog;
        failureLog = new FailureLog(backgroundLog);
        ServerDescriptor descriptor = new ServerDescriptor(serverId, address);
        regions.open();
        boolean known = metadata.servers().stream().anyMatch(s -> s.serverId().equals(serverId));
        if (!known && !regions.ids().isEmpty()) {
            throw PenstockException.conflict(
                    "this folder holds regions of another cluster, or its file identity is not the"
                            + " one it had: the leader does not know server "
                            + serverId);
        }
        ReadLease.Application application = catchUp.lease().apply();
        JoinReply reply = metadata.join(descriptor);
        checkKnown(reply.report());
        Set<Long> assigned = Arrays.stream(reply.regionIds()).boxed().collect(Collectors.toSet());
        for (long regionId : regions.ids()) {
            if (!assigned.contains(regionId)) {
                regions.drop(regionId);
            }
        }
        checkPresent(assigned);
        catchUp.begin(reply);
        catchUp.settle(reply.report());
        catchUp.renew(application, reply.report());
        self = descriptor;
        service.start(descriptor);
        tellFailures();
        if (localMetadata != null) {
            localMetadata.dropUnloadedTables();
        }
        if (!options.compactionPeriod().isZero()) {
            compaction =
                    new CompactionLoop(
                            new Compactor(options.snapshotRetention()),
                            regions::all,
                            options.compactionPeriod(),
                            log);
        }
    }

    /** Before anything is dropped that the leader does not know because it has forgotten. */
    private void checkKnown(ReportReply reply) {
        for (Region region : regions.all()) {
            if (region.installedEpoch() > reply.epoch()) {
                throw PenstockException.corrupt(
                        region.files().directory()
                                + " has a load of epoch "
                                + region.installedEpoch()
                                + ", but the leader's latest is "
                                + reply.epoch()
                                + ": its metadata log is an older one or has lost its end");
            }
        }
    }

    /** A region is created, durably, before the leader's log says so: none can be missing. */
    private void checkPresent(Set<Long> assigned) {
        Set<Long> present = regions.ids();
        for (long regionId : assigned) {
            if (!present.contains(regionId)) {
                regions.missing(regionId);
            }
        }
    }

    /**
     * Tells the leader that this server is alive, settles loads that have ended and regions that
     * were closed, puts loads to sleep that wait to be resumed, frees memory that loads have left
     * behind, makes an attempt for regions that are late, and tells what keeps failing; the leader
     * ends loads that nobody works on any more.
     */
    public void heartbeat() {
        List<Runnable> steps = new ArrayList<>();
        ServerDescriptor descriptor = self;
        if (descriptor != null) {
            steps.add(() -> catchUp.report(descriptor));
            steps.add(() -> catchUp.settleClosed(descriptor));
            steps.add(catchUp::putIdleToSleep);
        }
        if (localMetadata != null) {
            // Of all servers' loads, whatever is wrong with this one's.
            steps.add(localMetadata::abortAbandoned);
        }
        steps.add(loads::freeUnusedMemory);
        steps.add(catchUp::tryLateRegions);
        steps.add(this::tellFailures);
        runAll(steps);
    }

    private void tellFailures() {
        Map<String, PenstockException> failures = new LinkedHashMap<>();
        catchUp.lateRegions()
                .forEach((regionId, failure) ->
                        failures.put(
                                "region "
                                        + regionId
                                        + " cannot take what was published, and waits for it",
                                failure));
        failures.putAll(storage.quietFailures().all());
        failureLog.tell(failures);
    }

    public String serverId() {
        return serverId;
    }

    public RegionService regionService() {
        return service;
    }

    /**
     * The name of the table that a region of this server belongs to.
     *
     * @throws PenstockException as a call to the region would
     */
    public String tableOf(long regionId) {
        return service.tableOf(regionId);
    }

    /** The name of the table of a load that is open on this server or opens when it is used. */
    public Optional<String> tableOfLoad(String loadId) {
        return service.tableOfLoad(loadId);
    }

    /** Whether this server would be done with text at once. */
    public boolean isReadyForText() {
        return loads.isReadyForText();
    }

    /** All undamaged regions of this server. */
    List<Region> regions() {
        return regions.all();
    }

    RegionTable regionTable() {
        return regions;
    }

    /** The leader: the one in this folder, or the one that was given. */
    public MetadataService metadata() {
        return metadata;
    }

    /**
     * Stops answering, waits for a compaction that runs, closes everything, gives the lock back,
     * even if one of these fails.
     */
    @Override
    public void close() {
        service.stop();
        CompactionLoop loop = compaction;
        List<Runnable> steps = new ArrayList<>();
        if (loop != null) {
            steps.add(loop::close);
        }
        steps.add(loads::close);
        steps.add(regions::close);
        steps.add(journal::close);
        if (localMetadata != null) {
            steps.add(localMetadata::close);
        }
        try {
            runAll(steps);
            writeLastClose();
        } finally {
            lock.close();
        }
    }

    /** Without it the next start takes the folder for one whose process was killed. */
    private void writeLastClose() {
        try {
            lastClose.write();
        } catch (PenstockException e) {
            log.accept(
                    "the next start will check more files than it need, as after a kill: "
                            + e.getMessage());
        }
    }

    /** Runs every step; then throws what the first failing one threw. */
    private static void runAll(List<Runnable> steps) {
        RuntimeException failure = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
