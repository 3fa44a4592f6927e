package dev.penstock.loader.resume;

import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.reject.Reject;
import dev.penstock.target.LoadSession;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Which chunks of a load that can be resumed are done, with all that the report needs of them.
 *
 * <p>Phases: {@link #restore} what earlier loaders recorded, whose rejects go to the reject log as
 * soon as their chunk is known to be done; {@link #begin}; {@link #record} each chunk that this
 * loader has sent, from many threads.
 */
public final class ChunkHistory {
    private final RejectLog rejects;
    private final long start = System.nanoTime();

    // Guarded by this
    private final Map<Integer, ChunkLease> done = new HashMap<>();

    /** Rejects of chunks that are not done; no more chunks than are being worked on. */
    private final Map<Integer, List<Reject>> rejected = new HashMap<>();

    /** Chunks that this loader has done. */
    private final BitSet recorded = new BitSet();

    /** How many parts of a chunk's rejects have been restored. */
    private final Map<Integer, Integer> parts = new HashMap<>();

    private final Map<Integer, Long> elapsedNanos = new HashMap<>();
    private ChunkTotals totals;
    private int attempt = 1;

    public ChunkHistory(RejectLog rejects, int columnCount) {
        this.rejects = rejects;
        this.totals = ChunkTotals.none(columnCount);
    }

    /** Takes what an earlier loader recorded, in the order in which that was done. */
    public void restore(byte[] entry) {
        switch (Checkpoint.parse(entry)) {
            case Checkpoint.Rejected r -> restore(r);
            case Checkpoint.Done d -> {
                List<Reject> bad = restore(d);
                rejects.add(d.chunkId(), bad);
            }
        }
    }

    private synchronized void restore(Checkpoint.Rejected part) {
        if (done.containsKey(part.chunkId())) {
            return;
        }
        List<Reject> known = rejected.computeIfAbsent(part.chunkId(), id -> new ArrayList<>());
        if (part.part() == 0) {
            known.clear();
            parts.put(part.chunkId(), 0);
        }
        // One that was recorded twice, because the answer was lost, counts once.
        if (parts.getOrDefault(part.chunkId(), 0) == part.part()) {
            known.addAll(part.rejects());
            parts.put(part.chunkId(), part.part() + 1);
        }
    }

    /** What that chunk has for the reject log. */
    private synchronized List<Reject> restore(Checkpoint.Done chunk) {
        attempt = Math.max(attempt, chunk.attempt() + 1);
        elapsedNanos.merge(chunk.attempt(), chunk.elapsedNanos(), Math::max);
        if (done.putIfAbsent(chunk.chunkId(), chunk.lease()) != null) {
            return List.of();
        }
        totals = totals.plus(chunk.totals());
        rejects.addRecords(chunk.totals().records(), chunk.totals().textBytes());
        parts.remove(chunk.chunkId());
        return taken(chunk.chunkId());
    }

    private List<Reject> taken(int chunkId) {
        List<Reject> known = rejected.remove(chunkId);
        return known == null ? List.of() : known;
    }

    /** Ends restoring; what is rejected from now on is kept for {@link #record}. */
    public void begin() {
        synchronized (this) {
            rejected.clear();
            parts.clear();
        }
        rejects.tellOf(this::rejected);
    }

    /** What is found after a chunk is done, records of equal keys, the next loader finds again. */
    private synchronized void rejected(int chunkId, List<Reject> more) {
        if (!recorded.get(chunkId) && !done.containsKey(chunkId)) {
            rejected.computeIfAbsent(chunkId, id -> new ArrayList<>()).addAll(more);
        }
    }

    /**
     * Makes a chunk durable and records it; it is done on return.
     *
     * @param totals of the chunk, once all of it is acknowledged; empty if it was declined, which
     *     nobody records
     */
    public void record(
            LoadSession session, ChunkLease lease, Supplier<Optional<ChunkTotals>> totals) {
        session.settle(lease.chunkId());
        totals.get().ifPresent(ofChunk -> recordSettled(session, lease, ofChunk));
    }

    private void recordSettled(LoadSession session, ChunkLease lease, ChunkTotals chunkTotals) {
        List<Reject> bad;
        synchronized (this) {
            bad = taken(lease.chunkId());
            recorded.set(lease.chunkId());
        }
        Checkpoint.parts(lease.chunkId(), bad).forEach(part -> session.checkpoint(part.bytes()));
        long elapsed = System.nanoTime() - start;
        session.checkpoint(new Checkpoint.Done(lease, attempt, elapsed, chunkTotals).bytes());
    }

    /** Whether this loader has made a chunk durable. */
    public synchronized boolean hasRecorded() {
        return !recorded.isEmpty();
    }

    /** Chunks that earlier loaders have done. */
    public synchronized Map<Integer, ChunkLease> done() {
        return Map.copyOf(done);
    }

    /** Their sums. */
    public synchronized ChunkTotals totals() {
        return totals;
    }

    /** How long earlier loaders took for them. */
    public synchronized double seconds() {
        return elapsedNanos.values().stream().mapToLong(Long::longValue).sum() / 1e9;
    }
}
