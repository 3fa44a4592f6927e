package dev.penstock.kv.ingest;

import dev.penstock.kv.ingest.SlabPool.Slab;
import dev.penstock.kv.storage.BriefThreads;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The memory of all staged fragments of a server. Says when a {@link Staging} has to write
 * fragments to its file: the one that has got the least does, as it will be merged last.
 * Thread-safe.
 */
public final class StagingMemory implements AutoCloseable {
    /** How long memory waits for the next load. */
    private static final Duration UNUSED = Duration.ofSeconds(60);

    /** As many as merges that run and one that is about to. */
    private static final int READERS = 3;

    private final StagingLimits limits;
    private final SlabPool pool;
    private final Set<Staging> stagings = ConcurrentHashMap.newKeySet();
    private final ExecutorService spiller = BriefThreads.of("penstock-staging", 1);
    private final ExecutorService readers = BriefThreads.of("penstock-read-back", READERS);
    private final AtomicBoolean spilling = new AtomicBoolean();

    // Guarded by this
    private boolean lookedAfter;
    private boolean closed;
    private @Nullable Instant unusedSince;

    public StagingMemory(StagingLimits limits) {
        this.limits = limits;
        this.pool = new SlabPool(limits.keptBytes());
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
        return pool.take(bytes);
    }

    /** The same within the limits. */
    Optional<Slab> takeIfFree(int bytes) {
        return pool.usedBytes() + SlabPool.size(bytes) > limits.maxBytes()
                ? Optional.empty()
                : Optional.of(pool.take(bytes));
    }

    void giveBack(Slab slab) {
        pool.giveBack(slab);
    }

    /** Bytes of the slabs that are taken. */
    long usedBytes() {
        return pool.usedBytes();
    }

    long idleBytes() {
        return pool.idleBytes();
    }

    void add(Staging staging) {
        stagings.add(staging);
        synchronized (this) {
            unusedSince = null;
            pool.keep(isKeeping());
        }
    }

    /** Without any staging no memory is kept, unless somebody looks after it. */
    void remove(Staging staging) {
        stagings.remove(staging);
        synchronized (this) {
            pool.keep(isKeeping());
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
        pool.keep(isKeeping());
        Instant since = unusedSince;
        if (!stagings.isEmpty()) {
            unusedSince = null;
        } else if (since == null) {
            unusedSince = now;
        } else if (!now.isBefore(since.plus(UNUSED))) {
            pool.freeIdle();
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
            pool.keep(isKeeping());
        }
    }
}
