package dev.penstock.kv.client.load;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.Fanout;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.step.ChunkText;
import dev.penstock.step.StepName;
import dev.penstock.step.StepTimes;
import dev.penstock.target.AckListener;
import dev.penstock.target.FinishListener;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.RegionMap;
import dev.penstock.target.RegionReceipt;
import dev.penstock.target.TextFile;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * One load into a store. Fragments are sent on the callers' threads; over connections they are
 * acknowledged on input/output threads, in a folder on the caller's thread before {@link #send}
 * returns.
 *
 * <p>A fragment whose connection was lost, or had another server at its end, is sent again, a few
 * times: the server takes each (load, chunk, region) once, and one that has forgotten the load says
 * so, which ends it.
 */
final class StoreLoadSession implements LoadSession {
    /**
     * How long fragments for a server that acknowledges none are sent again. Attempts alone are no
     * bound: each waits for a connection, and they wait one after the other.
     */
    private static final long PATIENCE_NANOS = Publication.PATIENCE_NANOS;

    /** Answers that come at the same time may take this part of the heap. */
    private static final int ANSWERS_HEAP_SHARE = 4;

    /** Heap of one answer with as many keys as a region names, in its message and out of it. */
    private static final long REJECTS_ANSWER_BYTES = 16 << 20;

    /** Fragments that wait to be sent again may take this part of the heap. */
    private static final int WAITING_HEAP_SHARE = 8;

    private final Cluster cluster;
    private final LoadDescriptor load;
    private final AckListener acks;
    private final long maxWaitingBytes;
    private final boolean begun;

    /** Tells this loader from others that work on the same load. */
    private final long loader;

    private final RegionMap regions;
    private final Map<Long, ServerDescriptor> servers = new HashMap<>();
    private final long transferNanosBefore;
    private final Resender resender = new Resender();
    private final @Nullable SignOfLife signOfLife;

    private final Object lock = new Object();
    private long unacknowledged;

    /** Of fragments that are to be sent again, until they are on their way. */
    private long waitingBytes;

    private final Map<Long, Long> sentBytes = new HashMap<>();

    /** Chunks on their way, of a load that can be resumed. */
    private final Map<Integer, ChunkTransfer> transfers = new HashMap<>();

    /** Servers that have lost fragments and acknowledged none since, and since when. */
    private final Map<String, Long> lostSince = new HashMap<>();

    private @Nullable PenstockException failure;
    private Cluster.@Nullable Invitation invitation;
    private final Map<Long, Long> finishedRows = new TreeMap<>();
    private boolean ended;
    private boolean givenUp;

    /**
     * @param begun whether this session is the one that ends the load
     * @param loader a number that no other loader has
     */
    StoreLoadSession(
            Cluster cluster, LoadDescriptor load, AckListener acks, boolean begun, long loader) {
        this(
                cluster,
                load,
                acks,
                begun,
                loader,
                Runtime.getRuntime().maxMemory() / WAITING_HEAP_SHARE);
    }

    /**
     * The same.
     *
     * @param maxWaitingBytes of fragments that wait to be sent again, beyond which no new ones are
     *     sent; each thread that sends may have passed with one more
     */
    StoreLoadSession(
            Cluster cluster,
            LoadDescriptor load,
            AckListener acks,
            boolean begun,
            long loader,
            long maxWaitingBytes) {
        this.maxWaitingBytes = maxWaitingBytes;
        this.loader = loader;
        this.cluster = cluster;
        this.load = load;
        this.acks = acks;
        this.begun = begun;
        this.regions = StoreLoadTarget.map(load.table().schema().name(), load.regions());
        for (RegionAssignment region : load.regions()) {
            servers.put(region.regionId(), region.server());
        }
        this.transferNanosBefore = cluster.transferNanos();
        this.signOfLife =
                begun
                        ? new SignOfLife(
                                cluster.metadata(), load.loadId(), loader, this::endedByLeader)
                        : null;
    }

    @Override
    public String loadId() {
        return load.loadId();
    }

    @Override
    public long loadOrdinal() {
        return load.ordinal();
    }

    @Override
    public LoadTicket invite() {
        synchronized (lock) {
            Cluster.Invitation open = invitation;
            if (open == null) {
                open = cluster.invite(load.table().schema().name());
                invitation = open;
            }
            return new LoadTicket(
                    open.address(),
                    load.loadId(),
                    load.ordinal(),
                    open.access(),
                    StoreLoadTargetProvider.class.getName());
        }
    }

    @Override
    public RegionMap regions() {
        return regions;
    }

    @Override
    public TextUse textUse() {
        Set<TextUse> uses = EnumSet.of(TextUse.ALL);
        try {
            load.servers().stream().map(cluster::textUse).forEach(uses::add);
        } catch (PenstockException e) {
            // A server that cannot be reached now may be back when there is a fragment for it.
            return TextUse.NONE;
        }
        return Collections.min(uses);
    }

    @Override
    public boolean canSpread() {
        return load.servers().size() == 1;
    }

    @Override
    public int fileTextBytes() {
        try {
            return load.servers().stream().mapToInt(cluster::fileTextBytes).min().orElse(0);
        } catch (PenstockException e) {
            return 0;
        }
    }

    @Override
    public void send(FragmentHeader header, byte[] payload, int length) {
        Shipment shipment = new Shipment(header, new Cargo.InMemory(payload, length));
        begin(shipment);
        if (!cluster.answersAtOnce()) {
            shipment.cargo.keep();
        }
        send(shipment);
    }

    @Override
    public long sendText(FragmentHeader header, ChunkText text, TextFile file, Runnable done) {
        Shipment shipment = new Shipment(header, new Cargo.InFile(text, file, done));
        try {
            begin(shipment);
        } catch (RuntimeException | Error e) {
            done.run();
            throw e;
        }
        return send(shipment);
    }

    private ServerDescriptor server(FragmentHeader header) {
        ServerDescriptor server = servers.get(header.regionId());
        if (server == null) {
            throw PenstockException.internal(
                    "region " + header.regionId() + " is no part of load " + load.loadId());
        }
        return server;
    }

    private void begin(Shipment shipment) {
        FragmentHeader header = shipment.header;
        synchronized (lock) {
            await(() -> waitingBytes <= maxWaitingBytes);
            unacknowledged++;
            sentBytes.merge(header.regionId(), (long) shipment.cargo.length(), Long::sum);
            if (load.request().resumable()) {
                transfers
                        .computeIfAbsent(header.chunkId(), id -> new ChunkTransfer())
                        .sentTo(shipment.server);
            }
        }
    }

    /** Fragments of one chunk. */
    private static final class ChunkTransfer {
        private final Map<String, ServerDescriptor> servers = new TreeMap<>();
        private int unacknowledged;

        void sentTo(ServerDescriptor server) {
            servers.put(server.serverId(), server);
            unacknowledged++;
        }
    }

    /** One fragment until it is acknowledged. */
    private final class Shipment implements FragmentListener {
        final ServerDescriptor server;
        final FragmentHeader header;
        final Cargo cargo;
        int attempts;

        Shipment(FragmentHeader header, Cargo cargo) {
            this.server = server(header);
            this.header = header;
            this.cargo = cargo;
        }

        @Override
        public void acknowledged(FragmentAck ack) {
            try {
                acks.acknowledged(ack);
            } catch (PenstockException e) {
                fail(e);
            } catch (RuntimeException | Error e) {
                fail(PenstockException.internal("the listener of a load failed: " + e));
            }
            cargo.done();
            synchronized (lock) {
                lostSince.remove(server.serverId());
                ChunkTransfer transfer = transfers.get(header.chunkId());
                if (transfer != null) {
                    transfer.unacknowledged--;
                }
            }
            settle();
        }

        @Override
        public void failed(PenstockException e) {
            if (Publication.mayPass(e) && alive() && worthTrying(server)) {
                cargo.keep();
                waits(cargo.length());
                if (resender.schedule(++attempts, () -> sendAgain(this))) {
                    return;
                }
                waits(-cargo.length());
            }
            cargo.done();
            fail(e);
            settle();
        }
    }

    /** Returns the bytes that travel. */
    private long send(Shipment shipment) {
        long bytes = 0;
        try {
            bytes =
                    shipment.cargo.send(
                            cluster, shipment.server, load.loadId(), shipment.header, shipment);
        } catch (PenstockException e) {
            shipment.failed(e);
        } catch (RuntimeException | Error e) {
            shipment.cargo.done();
            fail(PenstockException.internal("a fragment could not be sent: " + e));
            settle();
            throw e;
        }
        synchronized (lock) {
            checkAlive();
        }
        return bytes;
    }

    private void waits(int bytes) {
        synchronized (lock) {
            waitingBytes += bytes;
            lock.notifyAll();
        }
    }

    private void sendAgain(Shipment shipment) {
        try {
            send(shipment);
        } catch (PenstockException e) {
            // Recorded already; whoever sends or flushes next is told.
        } finally {
            waits(-shipment.cargo.length());
        }
    }

    private boolean worthTrying(ServerDescriptor server) {
        synchronized (lock) {
            long now = System.nanoTime();
            Long since = lostSince.putIfAbsent(server.serverId(), now);
            return since == null || now - since < PATIENCE_NANOS;
        }
    }

    private boolean alive() {
        synchronized (lock) {
            return failure == null && !ended;
        }
    }

    private void checkAlive() {
        if (failure != null) {
            throw new PenstockException(
                    failure.category(), String.valueOf(failure.getMessage()), failure);
        }
        if (ended) {
            throw PenstockException.conflict("load " + load.loadId() + " has ended");
        }
    }

    private void fail(PenstockException e) {
        synchronized (lock) {
            if (failure == null) {
                failure = e;
            }
            lock.notifyAll();
        }
    }

    private void endedByLeader(PenstockException e) {
        if (alive()) {
            fail(e);
        }
    }

    private void settle() {
        synchronized (lock) {
            unacknowledged--;
            lock.notifyAll();
        }
    }

    @Override
    public void flush() {
        synchronized (lock) {
            await(() -> unacknowledged == 0);
        }
    }

    @Override
    public void giveUp() {
        synchronized (lock) {
            givenUp = true;
            lock.notifyAll();
        }
    }

    /** Waits under the lock; throws if the load has failed, has ended or was given up. */
    private void await(BooleanSupplier reached) {
        try {
            while (!reached.getAsBoolean() && failure == null && !ended && !givenUp) {
                lock.wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PenstockException.io(
                    "the wait for acknowledgements of load " + load.loadId() + " was interrupted",
                    e);
        }
        checkAlive();
        if (!reached.getAsBoolean()) {
            throw PenstockException.conflict("load " + load.loadId() + " was given up");
        }
    }

    @Override
    public void settle(int chunkId) {
        List<ServerDescriptor> taken;
        synchronized (lock) {
            ChunkTransfer transfer = transfers.get(chunkId);
            if (transfer == null) {
                checkAlive();
                return;
            }
            await(() -> transfer.unacknowledged == 0);
            transfers.remove(chunkId);
            taken = List.copyOf(transfer.servers.values());
        }
        Fanout.map(
                taken,
                taken.size(),
                server -> {
                    cluster.locate(server).forceLoad(load.loadId());
                    return server;
                });
    }

    @Override
    public void checkpoint(byte[] entry) {
        cluster.metadata().checkpoint(load.loadId(), loader, entry);
    }

    @Override
    public void suspend() {
        synchronized (lock) {
            ended = true;
            lock.notifyAll();
        }
        cluster.metadata().releaseLoad(load.loadId(), loader);
    }

    @Override
    public StepTimes transferTimes() {
        StepTimes times = new StepTimes();
        times.add(StepName.TRANSFER, Math.max(0, cluster.transferNanos() - transferNanosBefore));
        return times;
    }

    @Override
    public List<RegionReceipt> finish(FinishListener listener) {
        flush();
        Map<Long, RegionReceipt> receipts = new HashMap<>();
        Fanout.map(
                FinishBatches.of(largestFirst(), parallelFinishes(), maxBatch()),
                parallelFinishes(),
                batch -> {
                    List<RegionReceipt> finished =
                            cluster.locate(batch.server()).finish(load.loadId(), batch.regionIds());
                    synchronized (receipts) {
                        for (RegionReceipt receipt : finished) {
                            listener.finished(receipt);
                            receipts.put(receipt.regionId(), receipt.withoutRejects());
                        }
                    }
                    return finished.size();
                });
        List<RegionReceipt> inKeyOrder = new ArrayList<>();
        synchronized (lock) {
            for (RegionAssignment region : load.regions()) {
                RegionReceipt receipt = receipts.get(region.regionId());
                if (receipt == null) {
                    throw PenstockException.internal(
                            "region " + region.regionId() + " gave no receipt");
                }
                inKeyOrder.add(receipt);
                finishedRows.put(receipt.regionId(), receipt.rowCount());
            }
        }
        return inKeyOrder;
    }

    /** Receipts with rejects, from deferred steps or of keys, are too large to be put together. */
    private int maxBatch() {
        return answersHaveRejects() ? 1 : FinishBatches.MAX_REGIONS;
    }

    private boolean answersHaveRejects() {
        return load.request().deferSteps() || load.request().duplicates().rejects();
    }

    /**
     * The regions with the most to merge, as far as this session has sent it, come first, so that
     * none of them is left for the end.
     */
    private List<RegionAssignment> largestFirst() {
        Map<Long, Long> sizes;
        synchronized (lock) {
            sizes = Map.copyOf(sentBytes);
        }
        List<RegionAssignment> order = new ArrayList<>(load.regions());
        order.sort((a, b) -> Long.compare(sentBytes(sizes, b), sentBytes(sizes, a)));
        return order;
    }

    private static long sentBytes(Map<Long, Long> sizes, RegionAssignment region) {
        return sizes.getOrDefault(region.regionId(), 0L);
    }

    /**
     * Servers limit themselves. So many calls keep each of them busy, with one more that brings
     * fragments back from a file or forces segments. Fewer where their answers could fill the heap.
     */
    private int parallelFinishes() {
        long count = servers.values().stream().map(ServerDescriptor::serverId).distinct().count();
        long calls = count * (Runtime.getRuntime().availableProcessors() + 1);
        long room = Runtime.getRuntime().maxMemory() / ANSWERS_HEAP_SHARE;
        long atOnce = Math.max(room / REJECTS_ANSWER_BYTES, 1);
        return Math.toIntExact(answersHaveRejects() ? Math.min(calls, atOnce) : calls);
    }

    @Override
    public long publish(String report) {
        Map<Long, Long> rows;
        synchronized (lock) {
            checkAlive();
            if (finishedRows.size() != load.regions().size()) {
                throw PenstockException.conflict(
                        "load " + load.loadId() + " has not finished in all its regions");
            }
            rows = new TreeMap<>(finishedRows);
        }
        long epoch = Publication.run(cluster.metadata(), load.loadId(), rows, report);
        synchronized (lock) {
            ended = true;
        }
        return epoch;
    }

    @Override
    public void abort() {
        synchronized (lock) {
            ended = true;
            lock.notifyAll();
        }
        if (load.request().resumable()) {
            // Refused if another loader has resumed the load, which is its to end then.
            cluster.metadata().signOfLife(load.loadId(), loader);
        }
        cluster.metadata().abort(load.loadId());
    }

    @Override
    public void close() {
        boolean abort;
        Cluster.Invitation open;
        synchronized (lock) {
            abort = begun && !ended;
            open = invitation;
            invitation = null;
            ended = true;
            lock.notifyAll();
        }
        try {
            if (abort && load.request().resumable()) {
                cluster.metadata().releaseLoad(load.loadId(), loader);
            } else if (abort) {
                cluster.metadata().abort(load.loadId());
            }
        } catch (PenstockException e) {
            // The leader cannot be told now. It aborts loads that were running when it restarts;
            // whatever ended this load is the failure that the caller needs to see.
        } finally {
            resender.close();
            if (signOfLife != null) {
                signOfLife.close();
            }
            if (open != null) {
                open.close();
            }
        }
    }
}
