package dev.penstock.loader.resume;

import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.reject.Reject;
import dev.penstock.target.LoadSession;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which chunks of a load that can be resumed are done, with all that the report needs of them.
 *
 * <p>Phases: {@link #restore} what earlier loaders recorded; {@link #begin}, which gives it to the
 * reject log; {@link #record} each chunk that this loader has sent, from many threads.
 */
public final class ChunkHistory {
    private final RejectLog rejects;
    private final long start = System.nanoTime();

    // Guarded by this
    private final Map<Integer, ChunkLease> done = new HashMap<>();
    private final Map<Integer, List<Reject>> rejected = new TreeMap<>();

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
    public synchronized void restore(byte[] entry) {
        switch (Checkpoint.parse(entry)) {
            case Checkpoint.Rejected r -> {
                if (!done.containsKey(r.chunkId())) {
                    List<Reject> known =
                            rejected.computeIfAbsent(r.chunkId(), id -> new ArrayList<>());
                    if (r.part() == 0) {
                        known.clear();
                        parts.put(r.chunkId(), 0);
                    }
                    // One that was recorded twice, because the answer was lost, counts once.
                    if (parts.getOrDefault(r.chunkId(), 0) == r.part()) {
                        known.addAll(r.rejects());
                        parts.put(r.chunkId(), r.part() + 1);
                    }
                }
            }
            case Checkpoint.Done d -> {
                attempt = Math.max(attempt, d.attempt() + 1);
                elapsedNanos.merge(d.attempt(), d.elapsedNanos(), Math::max);
                if (done.putIfAbsent(d.chunkId(), d.lease()) == null) {
                    totals = totals.plus(d.totals());
                    rejected.computeIfAbsent(d.chunkId(), id -> new ArrayList<>());
                }
            }
        }
    }

    /** Ends restoring; what is rejected from now on is kept for {@link #record}. */
    public void begin() {
        Map<Integer, List<Reject>> restored;
        synchronized (this) {
            rejected.keySet().retainAll(done.keySet());
            restored = Map.copyOf(rejected);
            rejected.clear();
        }
        rejects.addRecords(totals().records(), totals().textBytes());
        restored.forEach(rejects::add);
        rejects.tellOf(this::rejected);
    }

    private synchronized void rejected(int chunkId, List<Reject> more) {
        rejected.computeIfAbsent(chunkId, id -> new ArrayList<>()).addAll(more);
    }

    /** Makes a chunk durable and records it; it is done on return. */
    public void record(LoadSession session, ChunkLease lease, ChunkTotals chunkTotals) {
        session.settle(lease.chunkId());
        List<Reject> bad;
        synchronized (this) {
            List<Reject> known = rejected.remove(lease.chunkId());
            bad = known == null ? List.of() : known;
        }
        Checkpoint.parts(lease.chunkId(), bad).forEach(part -> session.checkpoint(part.bytes()));
        long elapsed = System.nanoTime() - start;
        session.checkpoint(new Checkpoint.Done(lease, attempt, elapsed, chunkTotals).bytes());
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
