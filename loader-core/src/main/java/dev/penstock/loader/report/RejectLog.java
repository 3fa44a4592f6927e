package dev.penstock.loader.report;

import dev.penstock.loader.RejectLimit;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All rejects of a load: counted by reason, the first in input order remembered, and kept in a
 * {@link RejectSpool} if they are to be written. Thread-safe.
 */
public final class RejectLog implements AutoCloseable {
    static final Comparator<Reject> INPUT_ORDER =
            Comparator.comparingInt(Reject::sourceIndex).thenComparingLong(Reject::bytePosition);

    private final RejectLimit limit;
    private final boolean keep;
    private final Map<RejectReason, Long> byReason = new EnumMap<>(RejectReason.class);
    private final List<Reject> deferred = new ArrayList<>();
    private @Nullable RejectSpool spool;
    private @Nullable Reject first;
    private int firstChunkId;
    private long count;
    private long records;
    private boolean exceeded;
    private @Nullable Listener listener;

    /** Told of rejects as they are added; must return quickly. */
    public interface Listener {
        void rejected(int chunkId, List<Reject> rejects);
    }

    /**
     * @param keep whether the records are to be written at the end
     */
    public RejectLog(RejectLimit limit, boolean keep) {
        this.limit = limit;
        this.keep = keep;
    }

    /** Has {@code other} told of the rejects of chunks that are added from now on. */
    public synchronized void tellOf(Listener other) {
        listener = other;
    }

    /**
     * Adds rejects of one chunk.
     *
     * @return whether there are more than allowed now, so that the load must end
     */
    public synchronized boolean add(int chunkId, List<Reject> rejects) {
        if (rejects.isEmpty()) {
            return exceeded;
        }
        for (Reject reject : rejects) {
            count(reject, chunkId);
        }
        exceeded |= limit.exceededSoFar(count, records);
        if (listener != null) {
            listener.rejected(chunkId, rejects);
        }
        if (keep) {
            if (spool == null) {
                spool = new RejectSpool();
            }
            spool.append(chunkId, rejects);
        }
        return exceeded;
    }

    /**
     * Adds rejects that servers found when they finished, of any chunk.
     *
     * @return whether there are more than allowed now
     */
    public synchronized boolean addDeferred(List<Reject> rejects) {
        for (Reject reject : rejects) {
            count(reject, Integer.MAX_VALUE);
        }
        if (keep) {
            deferred.addAll(rejects);
        }
        exceeded |= limit.exceededSoFar(count, records);
        return exceeded;
    }

    private void count(Reject reject, int chunkId) {
        byReason.merge(reject.reason(), 1L, Long::sum);
        count++;
        if (first == null || INPUT_ORDER.compare(reject, first) < 0) {
            first = reject;
            firstChunkId = chunkId;
        }
    }

    /** What {@link #addDeferred} has added, in input order. */
    synchronized List<Reject> deferred() {
        return deferred.stream().sorted(INPUT_ORDER).toList();
    }

    /** Says that a chunk with so many records has been read. */
    public synchronized void addRecords(long more) {
        records += more;
    }

    /** Decides about a limit in percent, all records having been read. */
    public synchronized boolean exceededAtEnd(long allRecords) {
        exceeded |= limit.exceeded(count, allRecords);
        return exceeded;
    }

    public synchronized boolean exceeded() {
        return exceeded;
    }

    public RejectLimit limit() {
        return limit;
    }

    public synchronized long count() {
        return count;
    }

    /** The first reject in input order so far. */
    public synchronized Optional<Reject> first() {
        return Optional.ofNullable(first);
    }

    public synchronized int firstChunkId() {
        return firstChunkId;
    }

    /** Rejects per reason, lower-case names in order. */
    public synchronized Map<String, Long> byReason() {
        Map<String, Long> named = new TreeMap<>();
        byReason.forEach(
                (reason, rejects) -> named.put(reason.name().toLowerCase(Locale.ROOT), rejects));
        return named;
    }

    synchronized @Nullable RejectSpool spool() {
        return spool;
    }

    @Override
    public synchronized void close() {
        if (spool != null) {
            spool.close();
            spool = null;
        }
    }
}
