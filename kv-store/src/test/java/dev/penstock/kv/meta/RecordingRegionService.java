package dev.penstock.kv.meta;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.RegionServerStatus;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.predicate.Predicate;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A region server that only notes what the leader tells it. */
final class RecordingRegionService implements RegionService {
    final Map<Long, RegionDescriptor> regions = new TreeMap<>();
    final Set<Long> filled = new HashSet<>();
    final Set<Long> unprepared = new HashSet<>();
    final List<String> orders = new ArrayList<>();
    boolean reachable = true;
    Consumer<String> onOrder = order -> {};

    private void order(String text) {
        if (!reachable) {
            throw new PenstockException(ErrorCategory.RETRY, "cannot be reached");
        }
        orders.add(text);
        onOrder.accept(text);
    }

    @Override
    public void createRegions(List<RegionDescriptor> descriptors) {
        for (RegionDescriptor region : descriptors) {
            order("create " + region.regionId());
            regions.put(region.regionId(), region);
        }
    }

    @Override
    public void dropRegion(long regionId) {
        order("drop " + regionId);
        regions.remove(regionId);
    }

    @Override
    public boolean closeIfEmpty(long regionId) {
        order("close " + regionId);
        return !filled.contains(regionId);
    }

    @Override
    public void openLoad(LoadDescriptor load) {
        order("open " + load.loadId());
    }

    @Override
    public void forceLoad(String loadId) {
        order("force " + loadId);
    }

    @Override
    public void install(String loadId, long epoch) {
        order("install " + loadId + " " + epoch);
    }

    @Override
    public void discard(String loadId) {
        order("discard " + loadId);
    }

    @Override
    public void revokeLease(String loadId, List<Long> regionIds) {
        order("revoke");
        if (regionIds.stream().anyMatch(unprepared::contains)) {
            throw PenstockException.conflict("a region has not prepared it");
        }
    }

    @Override
    public RegionServerStatus status() {
        order("status");
        return new RegionServerStatus(new ServerDescriptor("s", "a"), List.of(), List.of());
    }

    @Override
    public void put(long regionId, ColumnBatch rows, long epoch) {
        throw new AssertionError("the leader stores no rows");
    }

    @Override
    public long insert(long regionId, ColumnBatch rows, long epoch) {
        throw new AssertionError("the leader stores no rows");
    }

    @Override
    public void delete(long regionId, List<byte[]> keys, long epoch) {
        throw new AssertionError("the leader deletes no rows");
    }

    @Override
    public void checkWrite(long regionId, List<byte[]> keys, boolean removal, long epoch) {
        throw new AssertionError("the leader writes no rows");
    }

    @Override
    public Optional<Long> epochAtHand(long epoch) {
        throw new AssertionError("the leader reads no rows");
    }

    @Override
    public long firstPresent(long regionId, List<byte[]> keys, long epoch) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ColumnBatch> get(long regionId, byte[] key, long epoch) {
        throw new AssertionError("the leader reads no rows");
    }

    @Override
    public ScanCursor openScan(ScanRequest request) {
        throw new AssertionError("the leader scans no rows");
    }

    @Override
    public long count(long regionId, long epoch, KeyRange range, Predicate predicate) {
        throw new AssertionError("the leader counts no rows");
    }

    @Override
    public PartialResult aggregate(long regionId, long epoch, AggregateQuery query) {
        throw new AssertionError("the leader aggregates no rows");
    }

    @Override
    public RegionChecksum checksum(long regionId, long epoch) {
        throw new AssertionError("the leader verifies nothing");
    }

    @Override
    public FragmentAck fragment(String loadId, FragmentHeader header, byte[] payload, int length) {
        throw new AssertionError("the leader sends no fragments");
    }

    @Override
    public List<RegionReceipt> finish(String loadId, List<Long> regionIds) {
        throw new AssertionError("the leader finishes nothing");
    }
}
