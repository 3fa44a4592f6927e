package dev.penstock.loader.progress;

import dev.penstock.loader.LoadPhase;
import dev.penstock.loader.LoadProgress;
import dev.penstock.loader.ProgressListener;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Adds up how far a load has come and tells the listener: at each change of phase, and in between
 * when some thread calls {@link #tick} and the last report is {@link #INTERVAL_NANOS} old. Counting
 * is free of locks; a thread that finds another one reporting goes on with its work.
 */
public final class ProgressMeter {
    private static final long INTERVAL_NANOS = 200_000_000;

    private final ProgressListener listener;
    private final LongSupplier nanoClock;
    private final long start;
    private final LongAdder rows = new LongAdder();
    private final LongAdder rejects = new LongAdder();
    private final LongAdder bytesSent = new LongAdder();
    private final Map<LoadPhase, Long> phaseNanos = new EnumMap<>(LoadPhase.class);
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicBoolean aside = new AtomicBoolean();
    private volatile @Nullable RuntimeException thrownAside;

    // Written under the lock.
    private volatile LoadPhase phase = LoadPhase.PLAN;
    private volatile long lastReport;
    private volatile LongSupplier bytesDone = () -> 0;
    private volatile long bytesTotal = -1;
    private volatile int regionsDone;
    private volatile int regionsTotal;
    private long phaseStart;
    private long loadStart;
    private long loadNanos;
    private long lastBytes;
    private boolean closed;

    public ProgressMeter(ProgressListener listener, LongSupplier nanoClock) {
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.start = nanoClock.getAsLong();
        this.phaseStart = start;
        this.lastReport = start;
    }

    /** Says where bytes read are counted and how many there are in all, -1 if unknown. */
    public void input(LongSupplier done, long total) {
        bytesDone = done;
        bytesTotal = total;
    }

    public void add(long moreRows, long moreBytesSent) {
        rows.add(moreRows);
        bytesSent.add(moreBytesSent);
    }

    public void addRejects(long more) {
        rejects.add(more);
    }

    public void regions(int done, int total) {
        regionsDone = done;
        regionsTotal = total;
    }

    /** Forgets what was counted, for a load that begins anew. */
    public void beginAgain() {
        rows.reset();
        rejects.reset();
        bytesSent.reset();
        input(() -> 0, -1);
        regions(0, 0);
        lock.lock();
        try {
            lastBytes = 0;
        } finally {
            lock.unlock();
        }
        enter(LoadPhase.PLAN);
    }

    /**
     * Enters a phase.
     *
     * @throws RuntimeException if the listener did since the last one
     */
    public void enter(LoadPhase next) {
        RuntimeException thrown = thrownAside;
        if (thrown != null) {
            throw thrown;
        }
        lock.lock();
        try {
            long now = nanoClock.getAsLong();
            closePhase(now);
            phase = next;
            if (next == LoadPhase.LOAD) {
                loadStart = now;
            }
            report(now);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the last phase. */
    public void end() {
        lock.lock();
        try {
            closePhase(nanoClock.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    private void closePhase(long now) {
        phaseNanos.merge(phase, now - phaseStart, Long::sum);
        if (phase == LoadPhase.LOAD) {
            loadNanos = now - loadStart;
        }
        phaseStart = now;
    }

    /** Reports if it is time to. */
    public void tick() {
        long now = nanoClock.getAsLong();
        if (now - lastReport < INTERVAL_NANOS || !lock.tryLock()) {
            return;
        }
        try {
            report(now);
        } finally {
            lock.unlock();
        }
    }

    /** The same by another thread, for one that must not wait until the listener has been told. */
    public void tickAside() {
        long now = nanoClock.getAsLong();
        if (now - lastReport >= INTERVAL_NANOS && aside.compareAndSet(false, true)) {
            ForkJoinPool.commonPool().execute(this::reportAside);
        }
    }

    private void reportAside() {
        try {
            tick();
        } catch (RuntimeException e) {
            thrownAside = e;
        } finally {
            aside.set(false);
        }
    }

    /** The listener is told nothing any more, once this returns. */
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Wall nanoseconds spent in each phase so far. */
    public Map<LoadPhase, Long> phaseNanos() {
        lock.lock();
        try {
            return new EnumMap<>(phaseNanos);
        } finally {
            lock.unlock();
        }
    }

    public double seconds() {
        return (nanoClock.getAsLong() - start) / 1e9;
    }

    private void report(long now) {
        if (closed) {
            return;
        }
        // Chunks are handed out and sent by turns, so that what is counted falls for moments.
        long done = Math.max(lastBytes, bytesDone.getAsLong());
        double loadSeconds =
                (phase == LoadPhase.LOAD && loadStart > 0 ? now - loadStart : loadNanos) / 1e9;
        double mean = loadSeconds <= 0 ? 0 : done / loadSeconds;
        double sinceLast = (now - lastReport) / 1e9;
        double current = sinceLast <= 0 ? 0 : Math.max(0, done - lastBytes) / sinceLast;
        double eta = -1;
        if (phase == LoadPhase.LOAD && bytesTotal >= 0 && mean > 0) {
            eta = Math.max(0, bytesTotal - done) / mean;
        }
        lastReport = now;
        lastBytes = done;
        listener.progressed(
                new LoadProgress(
                        phase,
                        done,
                        bytesTotal,
                        rows.sum(),
                        rejects.sum(),
                        bytesSent.sum(),
                        regionsDone,
                        regionsTotal,
                        (now - start) / 1e9,
                        mean,
                        current,
                        loadSeconds <= 0 ? 0 : rows.sum() / loadSeconds,
                        eta));
    }
}
