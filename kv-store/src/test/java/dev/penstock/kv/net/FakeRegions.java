package dev.penstock.kv.net;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.GroupKey;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.aggregate.PartialValue;
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
import dev.penstock.step.StepTimes;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A region server made of a few rules: a get answers with its key as a row, a scan counts up, a
 * fragment waits for a permit. Regions below 0 are elsewhere.
 */
final class FakeRegions implements RegionService {
    /** One permit lets one fragment be taken. */
    final Semaphore fragmentPermits = new Semaphore(Integer.MAX_VALUE / 2);

    final Semaphore fragmentsBegun = new Semaphore(0);
    final AtomicInteger fragmentsDone = new AtomicInteger();
    final AtomicLong bytesTaken = new AtomicLong();

    /** What has come as text or says where it is. */
    final List<Text> texts = new CopyOnWriteArrayList<>();

    /** Whether no file can be seen from here. */
    volatile boolean blind;

    record Text(FragmentHeader header, byte[] payload) {}

    final AtomicInteger openCursors = new AtomicInteger();

    final Semaphore scansBegun = new Semaphore(0);

    /** One permit lets one scan be opened. */
    final Semaphore scanPermits = new Semaphore(Integer.MAX_VALUE / 2);

    /** The latest epoch that is known without asking anyone. */
    volatile long knownEpoch = Long.MAX_VALUE;

    /** The threads that have read single rows, by name. */
    final Set<String> readers = ConcurrentHashMap.newKeySet();

    final Semaphore readsBegun = new Semaphore(0);

    /** One permit lets one read of a single row go on. */
    final Semaphore readPermits = new Semaphore(Integer.MAX_VALUE / 2);

    /** Text that each row of a scan carries. */
    volatile byte[] scanText = new byte[100];

    private static void check(long regionId) {
        if (regionId < 0) {
            throw new PenstockException(
                    ErrorCategory.REROUTE, "region " + regionId + " is not here");
        }
    }

    @Override
    public void createRegions(List<RegionDescriptor> regions) {}

    @Override
    public void dropRegion(long regionId) {
        check(regionId);
    }

    @Override
    public boolean closeIfEmpty(long regionId) {
        return regionId % 2 == 0;
    }

    @Override
    public void put(long regionId, ColumnBatch rows, long epoch) {
        check(regionId);
        bytesTaken.addAndGet(rows.rowCount());
    }

    @Override
    public long insert(long regionId, ColumnBatch rows, long epoch) {
        put(regionId, rows, epoch);
        return -1;
    }

    @Override
    public void delete(long regionId, List<byte[]> keys, long epoch) {
        throw new IllegalStateException("a fault of this program");
    }

    @Override
    public void checkWrite(long regionId, List<byte[]> keys, boolean removal, long epoch) {}

    @Override
    public Optional<Long> epochAtHand(long epoch) {
        return epoch <= knownEpoch ? Optional.of(epoch) : Optional.empty();
    }

    @Override
    public long firstPresent(long regionId, List<byte[]> keys, long epoch) {
        return -1;
    }

    @Override
    public Optional<ColumnBatch> get(long regionId, byte[] key, long epoch) {
        check(regionId);
        readers.add(Thread.currentThread().getName());
        readsBegun.release();
        readPermits.acquireUninterruptibly();
        if (key.length == 0) {
            return Optional.empty();
        }
        dev.penstock.batch.BytesColumn column = new dev.penstock.batch.BytesColumn(1, key.length);
        column.append(0, key, 0, key.length);
        ColumnBatch row = new ColumnBatch(List.of(column));
        row.setRowCount(1);
        return Optional.of(row);
    }

    @Override
    public ScanCursor openScan(ScanRequest request) {
        check(request.regionId());
        openCursors.incrementAndGet();
        scansBegun.release();
        scanPermits.acquireUninterruptibly();
        return new ScanCursor() {
            private long next;

            @Override
            public boolean next(ColumnBatch out) {
                out.clear();
                int rows = (int) Math.min(1000, request.limit() - next);
                out.column(0).ensureRows(rows);
                byte[] text = scanText;
                for (int row = 0; row < rows; row++) {
                    out.longs(0).values()[row] = next++;
                    out.bytes(1).append(row, text, 0, text.length);
                }
                out.setRowCount(rows);
                return rows > 0;
            }

            @Override
            public void close() {
                openCursors.decrementAndGet();
            }
        };
    }

    @Override
    public long count(long regionId, long epoch, KeyRange range, Predicate predicate) {
        return regionId + epoch;
    }

    @Override
    public PartialResult aggregate(long regionId, long epoch, AggregateQuery query) {
        PartialResult result = new PartialResult(query.aggregates());
        result.add(GroupKey.NONE, List.of(new PartialValue.Count(regionId + epoch)));
        return result;
    }

    @Override
    public RegionChecksum checksum(long regionId, long epoch) {
        return new RegionChecksum(regionId, epoch, 0, new long[] {1, 2, 3});
    }

    @Override
    public void openLoad(LoadDescriptor load) {}

    @Override
    public void forceLoad(String loadId) {}

    @Override
    public FragmentAck fragment(String loadId, FragmentHeader header, byte[] payload, int length) {
        check(header.regionId());
        fragmentsBegun.release();
        fragmentPermits.acquireUninterruptibly();
        if (header.isText()) {
            texts.add(new Text(header, Arrays.copyOf(payload, length)));
            return header.isInFile() && blind
                    ? FragmentAck.declining(header, new BitSet(), FragmentAck.Outcome.UNREAD)
                    : new FragmentAck(
                            header.chunkId(), header.regionId(), 1, List.of(), new BitSet());
        }
        for (int i = 0; i < length; i++) {
            if (payload[i] != (byte) header.chunkId()) {
                throw PenstockException.corrupt("byte " + i + " of a fragment is wrong");
            }
        }
        bytesTaken.addAndGet(length);
        fragmentsDone.incrementAndGet();
        return new FragmentAck(
                header.chunkId(), header.regionId(), header.rowCount(), List.of(), new BitSet());
    }

    static byte[] payload(int chunkId, int length) {
        byte[] payload = new byte[length];
        Arrays.fill(payload, (byte) chunkId);
        return payload;
    }

    @Override
    public List<RegionReceipt> finish(String loadId, List<Long> regionIds) {
        return regionIds.stream()
                .map(id ->
                        RegionReceipt.withoutSums(
                                id, "fake", 1, 0, 10, List.of(), List.of(), new StepTimes()))
                .toList();
    }

    @Override
    public void install(String loadId, long epoch) {}

    @Override
    public void discard(String loadId) {}

    @Override
    public void revokeLease(String loadId, List<Long> regionIds) {}

    @Override
    public RegionServerStatus status() {
        return new RegionServerStatus(new ServerDescriptor("fake", "fake:1"), List.of(), List.of());
    }
}
