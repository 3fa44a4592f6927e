package dev.penstock.loader.report;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.RejectLimits;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectClass;
import dev.penstock.reject.RejectReason;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
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

    private static final Comparator<First> FIRST = Comparator.comparing(First::reject, INPUT_ORDER);

    /** No limit in percent of so many records is passed. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final RejectLimits limits;
    private final @Nullable LocalDisk disk;
    private final Map<RejectReason, Long> byReason = new EnumMap<>(RejectReason.class);
    private final List<Reject> deferred = new ArrayList<>();
    private @Nullable RejectSpool spool;

    /** Why what was rejected cannot be written any more. */
    private @Nullable PenstockException lost;

    private final Map<RejectClass, Long> byClass = new EnumMap<>(RejectClass.class);
    private final Map<RejectClass, First> firsts = new EnumMap<>(RejectClass.class);
    private long count;

    /** Records that the input can have: those that were read, and one for each byte left. */
    private long mostRecords;

    private @Nullable Listener listener;
    private RejectLimits.@Nullable Passed passed;

    /** The first reject of a class in input order, with its chunk. */
    public record First(Reject reject, int chunkId) {}

    /** Told of rejects as they are added; must return quickly. */
    public interface Listener {
        void rejected(int chunkId, List<Reject> rejects);
    }

    /**
     * @param disk room for the records until they are written at the end; null if they are not
     * @param textBytes bytes of all inputs, decompressed, or -1 if nobody knows
     */
    public RejectLog(RejectLimits limits, @Nullable LocalDisk disk, long textBytes) {
        this.limits = limits;
        this.disk = disk;
        this.mostRecords = textBytes < 0 ? UNKNOWN : textBytes;
    }

    /** Has {@code other} told of the rejects of chunks that are added from now on. */
    public synchronized void tellOf(Listener other) {
        listener = other;
    }

    /**
     * Adds rejects of one chunk.
     *
     * @return whether there are more than allowed now, so that the load must end
     * @throws PenstockException of category {@code IO} if they, or some before them, could not be
     *     kept
     */
    public synchronized boolean add(int chunkId, List<Reject> rejects) {
        if (rejects.isEmpty()) {
            return passed != null;
        }
        for (Reject reject : rejects) {
            count(reject, chunkId);
        }
        check(mostRecords);
        if (listener != null) {
            listener.rejected(chunkId, rejects);
        }
        keep(chunkId, rejects);
        return passed != null;
    }

    /** Once it has failed it always does, so that nobody takes what is left for all of them. */
    private void keep(int chunkId, List<Reject> rejects) {
        LocalDisk room = disk;
        if (room == null) {
            return;
        }
        checkWhole();
        try {
            if (spool == null) {
                spool = new RejectSpool(room);
            }
            spool.append(chunkId, rejects);
        } catch (PenstockException e) {
            throw lost(e);
        }
    }

    /** From now on nothing can be written of what was rejected; returns why. */
    synchronized PenstockException lost(PenstockException why) {
        lost = why;
        return why;
    }

    /** Fails if what was rejected cannot be written any more, each time in the same words. */
    synchronized void checkWhole() {
        PenstockException failure = lost;
        if (failure != null) {
            throw failure;
        }
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
        if (disk != null) {
            deferred.addAll(rejects);
        }
        check(mostRecords);
        return passed != null;
    }

    private void check(long allRecords) {
        if (passed == null) {
            passed = limits.passed(byClass, allRecords).orElse(null);
        }
    }

    private void count(Reject reject, int chunkId) {
        byReason.merge(reject.reason(), 1L, Long::sum);
        byClass.merge(reject.reason().kind(), 1L, Long::sum);
        count++;
        firsts.merge(
                reject.reason().kind(),
                new First(reject, chunkId),
                (before, now) -> FIRST.compare(now, before) < 0 ? now : before);
    }

    /** What {@link #addDeferred} has added, in input order. */
    synchronized List<Reject> deferred() {
        return deferred.stream().sorted(INPUT_ORDER).toList();
    }

    /** Whether so many more rejects of a class would be more than allowed. */
    public synchronized boolean wouldEnd(RejectClass kind, long more) {
        Map<RejectClass, Long> then = new EnumMap<>(RejectClass.class);
        then.putAll(byClass);
        then.merge(kind, more, Long::sum);
        return limits.passed(then, mostRecords).isPresent();
    }

    /** Says that text of so many bytes has been read, and so many records were in it. */
    public synchronized void addRecords(long more, long textBytes) {
        if (mostRecords != UNKNOWN) {
            mostRecords += more - textBytes;
        }
    }

    /** Decides about a limit in percent, all records having been read. */
    public synchronized boolean exceededAtEnd(long allRecords) {
        check(allRecords);
        return passed != null;
    }

    /** The limit that is passed. */
    public synchronized Optional<RejectLimits.Passed> passed() {
        RejectLimits.Passed now = passed;
        if (now == null) {
            return Optional.empty();
        }
        RejectClass kind = now.kind();
        long counted = kind == null ? count : byClass.getOrDefault(kind, 0L);
        return Optional.of(new RejectLimits.Passed(kind, now.limit(), counted));
    }

    /** Whether the first reject ends the load. */
    public boolean endsAtFirst() {
        return limits.none();
    }

    public synchronized long count() {
        return count;
    }

    /** The first reject in input order so far, of one class or (null) of all. */
    public synchronized Optional<First> first(@Nullable RejectClass kind) {
        return firsts.entrySet().stream()
                .filter(entry -> kind == null || entry.getKey() == kind)
                .map(Map.Entry::getValue)
                .min(FIRST);
    }

    /** Rejects per reason, lower-case names in order. */
    public synchronized Map<String, Long> byReason() {
        Map<String, Long> named = new TreeMap<>();
        byReason.forEach((reason, rejects) -> named.put(reason.word(), rejects));
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
