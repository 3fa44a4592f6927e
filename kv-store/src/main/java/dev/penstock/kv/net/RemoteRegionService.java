package dev.penstock.kv.net;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.RegionServerStatus;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.Request;
import dev.penstock.predicate.Predicate;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A region server behind a connection. */
final class RemoteRegionService implements RegionService {
    /** What a fragment takes in its frame besides the payload, at most. */
    private static final int MAX_FRAGMENT_MESSAGE_BYTES = 4096;

    /** Patience with what a server that is alive answers at once. */
    private static final Duration ALIVE = Duration.ofSeconds(10);

    private final ConnectionPool pool;
    private final Destination server;

    RemoteRegionService(ConnectionPool pool, Destination server) {
        this.pool = pool;
        this.server = server;
    }

    @Override
    public void createRegions(List<RegionDescriptor> regions) {
        again(new Request.CreateRegions(regions), Reply.Done.class);
    }

    @Override
    public void dropRegion(long regionId) {
        again(new Request.DropRegion(regionId), Reply.Done.class);
    }

    @Override
    public boolean closeIfEmpty(long regionId) {
        return again(new Request.CloseIfEmpty(regionId), Reply.Flag.class).value();
    }

    @Override
    public void put(long regionId, ColumnBatch rows, long epoch) {
        once(new Request.Put(regionId, epoch, rows));
    }

    @Override
    public long insert(long regionId, ColumnBatch rows, long epoch) {
        Request request = new Request.Insert(regionId, epoch, rows);
        return expect(pool.call(server, request, Deadlines.SHORT), Reply.LongValue.class).value();
    }

    @Override
    public void delete(long regionId, List<byte[]> keys, long epoch) {
        once(new Request.Delete(regionId, epoch, keys));
    }

    @Override
    public void checkWrite(long regionId, List<byte[]> keys, boolean removal, long epoch) {
        again(new Request.CheckWrite(regionId, epoch, keys, removal), Reply.Done.class);
    }

    @Override
    public Optional<ColumnBatch> get(long regionId, byte[] key, long epoch) {
        List<ColumnBatch> row = again(new Request.Get(regionId, epoch, key), Reply.Row.class).row();
        return row.isEmpty() ? Optional.empty() : Optional.of(row.getFirst());
    }

    /** Only the server knows. */
    @Override
    public Optional<Long> epochAtHand(long epoch) {
        return Optional.empty();
    }

    @Override
    public long firstPresent(long regionId, List<byte[]> keys, long epoch) {
        return again(new Request.FirstPresent(regionId, epoch, keys), Reply.LongValue.class)
                .value();
    }

    /** Opened on the server by the cursor's first read, which tells the form of the rows. */
    @Override
    public ScanCursor openScan(ScanRequest request) {
        return new RemoteScanCursor(pool, server, request);
    }

    @Override
    public long count(long regionId, long epoch, KeyRange range, Predicate predicate) {
        Request request = new Request.Count(regionId, epoch, range, predicate);
        return expect(pool.callAgain(server, request, Deadlines.LONG), Reply.LongValue.class)
                .value();
    }

    @Override
    public PartialResult aggregate(long regionId, long epoch, AggregateQuery query) {
        Request request = new Request.Aggregate(regionId, epoch, query);
        PartialResult result =
                expect(pool.callAgain(server, request, Deadlines.LONG), Reply.Aggregates.class)
                        .result();
        boolean asked =
                result.aggregates().equals(query.aggregates())
                        && result.groups().keySet().stream()
                                .allMatch(key -> key.values().size() == query.groupBy().size());
        if (!asked) {
            throw PenstockException.corrupt(
                    "server " + server.address() + " answered another query than it was asked");
        }
        return result;
    }

    @Override
    public RegionChecksum checksum(long regionId, long epoch) {
        Request request = new Request.Checksum(regionId, epoch);
        return expect(pool.callAgain(server, request, Deadlines.LONG), Reply.Checksum.class)
                .checksum();
    }

    @Override
    public void openLoad(LoadDescriptor load) {
        Request request = new Request.OpenLoad(load);
        expect(pool.callAgain(server, request, Deadlines.LONG), Reply.Done.class);
    }

    @Override
    public void forceLoad(String loadId) {
        again(new Request.ForceLoad(loadId), Reply.Done.class);
    }

    @Override
    public FragmentAck fragment(String loadId, FragmentHeader header, byte[] payload, int length) {
        CompletableFuture<FragmentAck> result = new CompletableFuture<>();
        send(
                pool.connection(server),
                loadId,
                header,
                payload,
                length,
                new FragmentListener() {
                    @Override
                    public void acknowledged(FragmentAck ack) {
                        result.complete(ack);
                    }

                    @Override
                    public void failed(PenstockException failure) {
                        result.completeExceptionally(failure);
                    }
                });
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof PenstockException failure ? failure : e;
        }
    }

    /** Sends a fragment on a connection, waiting for credit; only raw ones lack a checksum. */
    static void send(
            ClientConnection connection,
            String loadId,
            FragmentHeader header,
            byte[] payload,
            int length,
            FragmentListener listener) {
        if (length > Frame.MAX_BYTES - MAX_FRAGMENT_MESSAGE_BYTES) {
            throw PenstockException.usage(
                    "a fragment of "
                            + length
                            + " bytes is too large to travel; cut the input into smaller chunks");
        }
        int checksum = header.form() == FragmentForm.RAW ? Dispatcher.checksum(payload, length) : 0;
        connection.sendFragment(
                new Request.Fragment(loadId, header, checksum),
                payload,
                length,
                System.nanoTime() + Deadlines.LONG.toNanos(),
                listener);
    }

    @Override
    public List<RegionReceipt> finish(String loadId, List<Long> regionIds) {
        Request request = new Request.Finish(loadId, regionIds);
        return expect(pool.callAgain(server, request, Deadlines.MERGE), Reply.Receipts.class)
                .receipts();
    }

    @Override
    public void install(String loadId, long epoch) {
        again(new Request.Install(loadId, epoch), Reply.Done.class);
    }

    @Override
    public void discard(String loadId) {
        again(new Request.Discard(loadId), Reply.Done.class);
    }

    /** With the short patience of {@link #status}: a server that cannot be told is waited for. */
    @Override
    public void revokeLease(String loadId, List<Long> regionIds) {
        Request request = new Request.RevokeLease(loadId, regionIds);
        expect(pool.call(server, request, ALIVE), Reply.Done.class);
    }

    @Override
    public RegionServerStatus status() {
        return expect(
                        pool.call(server, new Request.ServerStatus(), ALIVE),
                        Reply.ServerStatus.class)
                .status();
    }

    /**
     * A write whose connection is lost has an unknown outcome. It is not sent again: it might then
     * take effect a second time, over a later write of somebody else.
     */
    private void once(Request request) {
        expect(pool.call(server, request, Deadlines.SHORT), Reply.Done.class);
    }

    /** Every request that is sent so may arrive twice without harm. */
    private <T extends Reply> T again(Request request, Class<T> type) {
        return expect(pool.callAgain(server, request, Deadlines.SHORT), type);
    }

    private <T extends Reply> T expect(Reply reply, Class<T> type) {
        return expect(server.address(), reply, type);
    }

    static <T extends Reply> T expect(String address, Reply reply, Class<T> type) {
        if (!type.isInstance(reply)) {
            throw PenstockException.corrupt(
                    "server "
                            + address
                            + " answered with "
                            + reply.getClass().getSimpleName()
                            + " where "
                            + type.getSimpleName()
                            + " was due");
        }
        return type.cast(reply);
    }
}
