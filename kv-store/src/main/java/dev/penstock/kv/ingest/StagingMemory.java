package dev.penstock.kv.ingest;

import dev.penstock.kv.storage.BlockFile;
import dev.penstock.kv.storage.BriefThreads;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The memory of all staged fragments of a server, in slabs that are used again, because memory that
 * is new to the process is slow. Says when a {@link Staging} has to write fragments to its file:
 * the one that has got the least does, as it will be merged last. Thread-safe.
 */
public final class StagingMemory implements AutoCloseable {
    private static final int SMALLEST_BYTES = 1 << 16;

    /** Eight sizes of slabs between two powers of two. */
    private static final int SIZE_BITS = 3;

    /** How long memory waits for the next load. */
    private static final Duration UNUSED = Duration.ofSeconds(60);

    /** As many as merges that run and one that is about to. */
    private static final int READERS = 3;

    /**
     * Memory at the start of a block, so that it can be written as it is.
     *
     * @param own to free it with; null if it goes with {@link #common}
     */
    record Slab(@Nullable Arena own, MemorySegment memory) {
        int bytes() {
            return (int) memory.byteSize();
        }
    }

    private final StagingLimits limits;
    private final Set<Staging> stagings = ConcurrentHashMap.newKeySet();
    private final ExecutorService spiller = BriefThreads.of("penstock-staging", 1);
    private final ExecutorService readers = BriefThreads.of("penstock-read-back", READERS);
    private final AtomicBoolean spilling = new AtomicBoolean();

    // Guarded by this
    private boolean lookedAfter;
    private boolean closed;
    private @Nullable Instant unusedSince;
    private final TreeMap<Integer, Deque<Slab>> idle = new TreeMap<>();
    private long idleBytes;
    private long usedBytes;

    /**
     * Of slabs that will be kept until all idle ones are freed: these go at once, since each arena
     * that is closed holds up every thread of the process for a moment.
     */
    private @Nullable Arena common;

    private long commonBytes;
    private int commonTaken;

    public StagingMemory(StagingLimits limits) {
        this.limits = limits;
    }

    StagingLimits limits() {
        return limits;
    }

    /** Runs a task that reads fragments from files, and does not wait for others. */
    void readBack(Runnable task) {
        readers.execute(task);
    }

    /** A slab of at least so many bytes, whatever the limits say; {@link #relieve} comes after. */
    Slab take(int bytes) {
        return taken(size(bytes));
    }

    /** The same within the limits. */
    Optional<Slab> takeIfFree(int bytes) {
        int size = size(bytes);
        synchronized (this) {
            if (usedBytes + size > limits.maxBytes()) {
                return Optional.empty();
            }
        }
        return Optional.of(taken(size));
    }

    private Slab taken(int size) {
        Arena shared;
        synchronized (this) {
            Slab known = idle(size);
            usedBytes += known == null ? size : known.bytes();
            if (known != null) {
                commonTaken += known.own() == null ? 1 : 0;
                return known;
            }
            shared = commonArena(size);
        }
        Arena arena = shared == null ? Arena.ofShared() : shared;
        try {
            MemorySegment memory = arena.allocate(size, BlockFile.BLOCK_BYTES);
            return new Slab(shared == null ? arena : null, memory);
        } catch (RuntimeException | OutOfMemoryError e) {
            notTaken(size, arena, shared != null);
            throw e;
        }
    }

    /**
     * A slab that nobody uses, of at least so many bytes but not far more; null if there is none.
     */
    private @Nullable Slab idle(int size) {
        Map.Entry<Integer, Deque<Slab>> fitting = idle.ceilingEntry(size);
        if (fitting == null || fitting.getKey() > 2L * size) {
            return null;
        }
        Slab slab = fitting.getValue().removeFirst();
        if (fitting.getValue().isEmpty()) {
            idle.remove(fitting.getKey());
        }
        idleBytes -= slab.bytes();
        return slab;
    }

    /** Takes bytes of what is kept in any case; null if there are none left. */
    private @Nullable Arena commonArena(int size) {
        if (commonBytes + size > limits.keptBytes() && commonTaken == 0) {
            // What is idle is of other sizes.
            freeIdle();
        }
        if (commonBytes + size > limits.keptBytes()) {
            return null;
        }
        Arena arena = common == null ? Arena.ofShared() : common;
        common = arena;
        commonBytes += size;
        commonTaken++;
        return arena;
    }

    private void notTaken(int size, Arena arena, boolean isCommon) {
        synchronized (this) {
            usedBytes -= size;
            commonBytes -= isCommon ? size : 0;
            commonTaken -= isCommon ? 1 : 0;
        }
        if (!isCommon) {
            arena.close();
        }
    }

    private static int size(int bytes) {
        int wanted = Math.max(bytes, SMALLEST_BYTES);
        int step = Integer.highestOneBit(wanted) >> SIZE_BITS;
        return Math.toIntExact((wanted + step - 1L) & -step);
    }

    void giveBack(Slab slab) {
        Arena own = slab.own();
        synchronized (this) {
            usedBytes -= slab.bytes();
            commonTaken -= own == null ? 1 : 0;
            boolean kept = isKeeping() && idleBytes + slab.bytes() <= limits.keptBytes();
            if (own == null || kept) {
                idle.computeIfAbsent(slab.bytes(), size -> new ArrayDeque<>()).addFirst(slab);
                idleBytes += slab.bytes();
                own = null;
            }
            if (!isKeeping()) {
                freeIdle();
            } else if (idleBytes > limits.keptBytes()) {
                idle.values().forEach(slabs -> slabs.removeIf(this::isTooMuch));
                idle.values().removeIf(Deque::isEmpty);
            }
        }
        if (own != null) {
            own.close();
        }
    }

    /** Bytes of the slabs that are taken. */
    synchronized long usedBytes() {
        return usedBytes;
    }

    synchronized long idleBytes() {
        return idleBytes;
    }

    void add(Staging staging) {
        stagings.add(staging);
        synchronized (this) {
            unusedSince = null;
        }
    }

    /** Without any staging no memory is kept, unless somebody looks after it. */
    void remove(Staging staging) {
        stagings.remove(staging);
        synchronized (this) {
            if (!isKeeping()) {
                freeIdle();
            }
        }
    }

    private boolean isKeeping() {
        return !closed && (lookedAfter || !stagings.isEmpty());
    }

    /**
     * Frees all memory if there has been no staging for a while. Once this has been called, it is
     * to be called every few seconds: memory then waits for the next load, to which it is not new.
     */
    public synchronized void freeUnused(Instant now) {
        lookedAfter = true;
        Instant since = unusedSince;
        if (!stagings.isEmpty()) {
            unusedSince = null;
        } else if (since == null) {
            unusedSince = now;
        } else if (!now.isBefore(since.plus(UNUSED))) {
            freeIdle();
        }
    }

    /** Frees what nobody uses; common slabs when nobody uses any of them. */
    private synchronized void freeIdle() {
        for (Deque<Slab> slabs : idle.values()) {
            slabs.removeIf(this::isFreed);
        }
        idle.values().removeIf(Deque::isEmpty);
        Arena arena = common;
        if (arena != null && commonTaken == 0) {
            arena.close();
            common = null;
            commonBytes = 0;
        }
    }

    private boolean isFreed(Slab slab) {
        if (slab.own() == null && commonTaken > 0) {
            return false;
        }
        free(slab);
        return true;
    }

    private boolean isTooMuch(Slab slab) {
        if (slab.own() == null || idleBytes <= limits.keptBytes()) {
            return false;
        }
        free(slab);
        return true;
    }

    private void free(Slab slab) {
        idleBytes -= slab.bytes();
        Arena own = slab.own();
        if (own != null) {
            own.close();
        }
    }

    /** Has fragments written to files as far as the limits ask for it. */
    void relieve() {
        if (usedBytes() > limits.keptBytes() && spilling.compareAndSet(false, true)) {
            spillBeside();
        }
        spillDownTo(limits.maxBytes());
    }

    private void spillBeside() {
        try {
            spiller.execute(() -> {
                try {
                    spillDownTo(limits.keptBytes());
                } finally {
                    spilling.set(false);
                }
            });
        } catch (RuntimeException | Error e) {
            // There may be no more threads now.
            spilling.set(false);
            throw e;
        }
    }

    private void spillDownTo(long bytes) {
        while (usedBytes() > bytes && spillOne()) {
            // one more
        }
    }

    /**
     * Drops what has been merged already and nobody needs any more. If there is none, writes an
     * extent of a region that is merged, as nobody will want it back most likely; then of the one
     * that has got the least so far, because the largest regions are merged first, and what is in
     * memory need not be waited for. Regions without a whole extent come last, the one with the
     * most first.
     */
    private boolean spillOne() {
        for (Staging staging : stagings) {
            if (staging.drop()) {
                return true;
            }
        }
        Staging chosen = null;
        long most = 0;
        long least = Long.MAX_VALUE;
        for (Staging staging : stagings) {
            long spillable = staging.spillableBytes();
            if (spillable >= Staging.LARGE_BYTES) {
                long bytes = staging.isMerged() ? -1 : staging.bytes();
                if (bytes < least) {
                    least = bytes;
                    chosen = staging;
                }
            } else if (least == Long.MAX_VALUE && spillable > most) {
                most = spillable;
                chosen = staging;
            }
        }
        return chosen != null && chosen.spill();
    }

    @Override
    public void close() {
        spiller.shutdown();
        readers.shutdown();
        synchronized (this) {
            closed = true;
            freeIdle();
        }
    }
}
