package dev.penstock.kv.node;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.RegionServerStatus;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.RegionStatus;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.PreparedLoad;
import dev.penstock.predicate.Predicate;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The region server in this process. It answers {@code RETRY} until {@link #start} has been called
 * with what the leader said. Thread-safe.
 */
final class LocalRegionService implements RegionService {
    private final RegionTable regions;
    private final LoadTable loads;
    private final CatchUp catchUp;
    private final String serverId;
    private volatile ServerDescriptor self;
    private volatile boolean started;

    LocalRegionService(RegionTable regions, LoadTable loads, CatchUp catchUp, String serverId) {
        this.regions = regions;
        this.loads = loads;
        this.catchUp = catchUp;
        this.serverId = serverId;
        this.self = new ServerDescriptor(serverId, ServerDescriptor.EMBEDDED);
    }

    /** Begins to answer. */
    void start(ServerDescriptor descriptor) {
        self = descriptor;
        started = true;
    }

    void stop() {
        started = false;
    }

    private void checkStarted() {
        if (!started) {
            throw new PenstockException(
                    ErrorCategory.RETRY,
                    "server " + self.address() + " is starting or stopping; try again");
        }
    }

    private Region region(long regionId, long epoch) {
        reached(regionId, epoch);
        return regions.get(regionId);
    }

    /** The name of the table that a region of this server belongs to. */
    String tableOf(long regionId) {
        checkStarted();
        return regions.get(regionId).descriptor().schema().name();
    }

    /** Empty if the load is not open here and does not open by being used. */
    Optional<String> tableOfLoad(String loadId) {
        return loads.table(loadId);
    }

    // Regions

    @Override
    public void createRegions(List<RegionDescriptor> descriptors) {
        checkStarted();
        regions.create(descriptors);
    }

    @Override
    public void dropRegion(long regionId) {
        checkStarted();
        regions.drop(regionId);
    }

    @Override
    public boolean closeIfEmpty(long regionId) {
        checkStarted();
        boolean prepared =
                regions.find(regionId).filter(region -> !region.prepared().isEmpty()).isPresent();
        if (prepared || loads.involve(regionId)) {
            throw new PenstockException(
                    ErrorCategory.CONFLICT,
                    "region " + regionId + " is part of a load that is not cleared away yet");
        }
        return regions.closeIfEmpty(regionId);
    }

    // Rows

    @Override
    public void put(long regionId, ColumnBatch rows, long epoch) {
        region(regionId, epoch).put(rows);
    }

    @Override
    public long insert(long regionId, ColumnBatch rows, long epoch) {
        return region(regionId, epoch).insert(rows);
    }

    @Override
    public void delete(long regionId, List<byte[]> keys, long epoch) {
        region(regionId, epoch).delete(keys);
    }

    @Override
    public void checkWrite(long regionId, List<byte[]> keys, boolean removal, long epoch) {
        region(regionId, epoch).checkWrite(keys, removal);
    }

    private long reached(long regionId, long epoch) {
        checkStarted();
        return catchUp.reached(regionId, epoch);
    }

    @Override
    public Optional<ColumnBatch> get(long regionId, byte[] key, long epoch) {
        long reached = reached(regionId, epoch);
        return regions.get(regionId).get(key, reached);
    }

    @Override
    public Optional<Long> epochAtHand(long epoch) {
        return started ? catchUp.atHand(epoch) : Optional.empty();
    }

    @Override
    public long firstPresent(long regionId, List<byte[]> keys, long epoch) {
        long reached = reached(regionId, epoch);
        return regions.get(regionId).firstPresent(keys, reached);
    }

    @Override
    public ScanCursor openScan(ScanRequest request) {
        return region(request.regionId(), request.epoch()).scan(request);
    }

    @Override
    public long count(long regionId, long epoch, KeyRange range, Predicate predicate) {
        return region(regionId, epoch).count(epoch, range, predicate);
    }

    @Override
    public PartialResult aggregate(long regionId, long epoch, AggregateQuery query) {
        return region(regionId, epoch).aggregate(epoch, query);
    }

    @Override
    public RegionChecksum checksum(long regionId, long epoch) {
        return region(regionId, epoch).checksum(epoch);
    }

    // Loads

    @Override
    public void openLoad(LoadDescriptor load) {
        checkStarted();
        List<Region> here =
                load.regions().stream()
                        .filter(region -> region.server().serverId().equals(serverId))
                        .map(RegionAssignment::regionId)
                        .map(regions::get)
                        .toList();
        if (!here.isEmpty() && !loads.knows(load.loadId())) {
            here.getFirst().context().segments().checkRoom(here.size());
        }
        regions.makeFolders(here);
        loads.open(load, here, self.address());
    }

    @Override
    public FragmentAck fragment(String loadId, FragmentHeader header, byte[] payload, int length) {
        checkStarted();
        try (OpenLoad.Use use = use(loadId)) {
            return use.intake().take(header, payload, length);
        }
    }

    /**
     * A load that was put to sleep since its loader was taken for gone is opened again: the loader
     * was only silent.
     */
    private OpenLoad.Use use(String loadId) {
        Optional<OpenLoad.Use> open = loads.use(loadId);
        if (open.isEmpty() && loads.table(loadId).isPresent()) {
            openLoad(catchUp.load(loadId));
            open = loads.use(loadId);
        }
        return open.orElseThrow(() ->
                PenstockException.conflict(
                        "load "
                                + loadId
                                + " is not open on this server: it has ended, or the server"
                                + " has started anew since it began; load again"));
    }

    @Override
    public void forceLoad(String loadId) {
        checkStarted();
        try (OpenLoad.Use use = use(loadId)) {
            use.intake().force();
        }
    }

    @Override
    public List<RegionReceipt> finish(String loadId, List<Long> regionIds) {
        checkStarted();
        List<RegionReceipt> receipts = new ArrayList<>(regionIds.size());
        for (long regionId : regionIds) {
            receipts.add(finish(loadId, regionId));
        }
        regions.force();
        return receipts;
    }

    private RegionReceipt finish(String loadId, long regionId) {
        Region region = regions.get(regionId);
        Optional<PreparedLoad> prepared = region.prepared().get(loadId);
        if (prepared.isPresent()) {
            return prepared.get().receipt();
        }
        try (OpenLoad.Use use = use(loadId)) {
            return use.intake().finish(regionId, catchUp.settleOthers(region, loadId));
        }
    }

    @Override
    public void install(String loadId, long epoch) {
        checkStarted();
        catchUp.installAll(epoch);
    }

    @Override
    public void discard(String loadId) {
        checkStarted();
        loads.discard(loadId, regions.all());
    }

    @Override
    public void revokeLease(String loadId, List<Long> regionIds) {
        catchUp.lease().revoke();
        for (long regionId : regionIds) {
            boolean missing =
                    regions.find(regionId)
                            .filter(region -> region.prepared().get(loadId).isEmpty())
                            .isPresent();
            if (missing) {
                throw PenstockException.conflict(
                        "load "
                                + loadId
                                + " cannot be published: region "
                                + regionId
                                + " has not prepared it");
            }
        }
    }

    @Override
    public RegionServerStatus status() {
        checkStarted();
        List<RegionStatus> regionStatus =
                regions.all().stream()
                        .map(Region::status)
                        .sorted((a, b) -> Long.compare(a.regionId(), b.regionId()))
                        .toList();
        List<LoadProgress> progress = loads.progress();
        return new RegionServerStatus(self, regionStatus, progress);
    }
}
