package dev.penstock.loader.report;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.RejectLimits;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectClass;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All rejects of a load: counted by reason, the first in input order remembered, and kept in {@link
 * RejectPages} if they are to be written, so that memory does not depend on how many they are.
 * Thread-safe; closing it lets go of them.
 */
public final class RejectLog implements AutoCloseable {
    /** Ends a message of rejects that cannot be written, which end their load. */
    public static final String NOTHING_VISIBLE = " Nothing of this load is visible.";

    /** No limit in percent of so many records is passed. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    /** Kept without a file: what a user reads one by one. */
    private static final long MEMORY_BYTES = 16 << 10;

    private final RejectLimits limits;

    /** Null if nothing is to be written. */
    private final @Nullable RejectPages pages;

    private final Map<Integer, RejectRuns> byChunk = new TreeMap<>();
    private final RejectTally tally = new RejectTally();
    private @Nullable RejectRuns deferred;
    private @Nullable RejectTally deferredTally = new RejectTally();

    /** Whether what comes now, late, is left out. */
    private boolean frozen;

    /** Whether a device or a pipe has taken all, which would take it twice. */
    private boolean handedOver;

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
     * @param rejectsFile where the records are to be written at the end; null if nowhere
     * @param disk where they wait until then
     * @param textBytes bytes of all inputs, decompressed, or -1 if nobody knows
     */
    public RejectLog(
            RejectLimits limits, @Nullable Path rejectsFile, LocalDisk disk, long textBytes) {
        this(limits, rejectsFile, disk, textBytes, MEMORY_BYTES);
    }

    /**
     * The same.
     *
     * @param memoryBytes that rejects may take before they go to a temporary file
     */
    RejectLog(
            RejectLimits limits,
            @Nullable Path rejectsFile,
            LocalDisk disk,
            long textBytes,
            long memoryBytes) {
        this.limits = limits;
        this.mostRecords = textBytes < 0 ? UNKNOWN : textBytes;
        this.pages =
                rejectsFile == null
                        ? null
                        : new RejectPages(
                                disk, RejectPlace.temporaryFolder(rejectsFile), memoryBytes);
    }

    /** Has {@code other} told of the rejects of chunks that are added from now on. */
    public synchronized void tellOf(Listener other) {
        listener = other;
    }

    /**
     * Adds rejects of one chunk.
     *
     * @return whether there are more than allowed now, so that the load must end
     * @throws PenstockException of category IO if they, or some before them, cannot be kept
     */
    public synchronized boolean add(int chunkId, List<Reject> rejects) {
        if (rejects.isEmpty() || frozen) {
            return passed != null;
        }
        tally.add(chunkId, rejects);
        check(mostRecords);
        if (listener != null) {
            listener.rejected(chunkId, rejects);
        }
        if (pages != null) {
            RejectPages kept = pages;
            byChunk.computeIfAbsent(chunkId, id -> new RejectRuns(kept)).add(rejects);
        }
        return passed != null;
    }

    /**
     * Leaves out what comes from now on, as late answers of servers to a load that has failed: what
     * is written is what is counted, and does not change while it is read.
     */
    public synchronized void freeze() {
        frozen = true;
    }

    /** From now on nothing can be written of what was rejected; returns why. */
    synchronized PenstockException lost(PenstockException why) {
        return pages == null ? why : pages.lost(why);
    }

    /** Says that a device or a pipe has taken what is frozen. */
    synchronized void handOver() {
        handedOver = true;
    }

    synchronized boolean isHandedOver() {
        return handedOver;
    }

    /** Fails if what was rejected cannot be written any more, each time in the same words. */
    synchronized void checkWhole() {
        if (pages != null) {
            pages.checkIntact();
        }
    }

    /**
     * Keeps rejects that a server found when it finished, of any chunks, for {@link #addDeferred}.
     *
     * @throws PenstockException of category IO if they cannot be kept
     */
    public synchronized void defer(List<Reject> rejects) {
        if (frozen) {
            return;
        }
        RejectTally waiting = deferredTally;
        if (waiting == null) {
            throw new IllegalStateException("all servers have finished");
        }
        waiting.add(Integer.MAX_VALUE, rejects);
        if (pages != null) {
            RejectRuns runs = deferred == null ? new RejectRuns(pages) : deferred;
            runs.add(rejects);
            deferred = runs;
        }
    }

    /** Adds what servers found, all of them having finished; returns how many. */
    public synchronized long addDeferred() {
        RejectTally found = deferredTally;
        if (found == null) {
            return 0;
        }
        deferredTally = null;
        tally.add(found);
        check(mostRecords);
        return found.count();
    }

    private void check(long allRecords) {
        if (passed == null) {
            passed = limits.passed(tally.byClass(), allRecords).orElse(null);
        }
    }

    /** What {@link #addDeferred} has added, in input order. */
    synchronized Iterator<Reject> deferred() {
        return deferred == null || deferredTally != null
                ? Collections.emptyIterator()
                : deferred.inOrder();
    }

    /** The chunks that have rejects, ascending. */
    synchronized List<Integer> chunkIds() {
        return List.copyOf(byChunk.keySet());
    }

    /** All rejects of one chunk but those that {@link #deferred} has, in input order. */
    synchronized Iterator<Reject> ofChunk(int chunkId) {
        RejectRuns runs = byChunk.get(chunkId);
        return runs == null ? Collections.emptyIterator() : runs.inOrder();
    }

    /** Whether so many more rejects of a class would be more than allowed. */
    public synchronized boolean wouldEnd(RejectClass kind, long more) {
        Map<RejectClass, Long> then = new EnumMap<>(RejectClass.class);
        then.putAll(tally.byClass());
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
        long counted = kind == null ? tally.count() : tally.byClass().getOrDefault(kind, 0L);
        return Optional.of(new RejectLimits.Passed(kind, now.limit(), counted));
    }

    /** Whether the first reject ends the load. */
    public boolean endsAtFirst() {
        return limits.none();
    }

    public synchronized long count() {
        return tally.count();
    }

    /** The first reject in input order so far, of one class or (null) of all. */
    public synchronized Optional<First> first(@Nullable RejectClass kind) {
        return tally.first(kind);
    }

    /** Rejects per reason, lower-case names in order. */
    public synchronized Map<String, Long> byReason() {
        return tally.byReason();
    }

    /** Bytes of rejects that are in a temporary file. */
    synchronized long spilledBytes() {
        return pages == null ? 0 : pages.fileBytes();
    }

    @Override
    public synchronized void close() {
        frozen = true;
        if (pages != null) {
            pages.close();
        }
    }
}
