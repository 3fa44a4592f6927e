package dev.penstock.kv.ingest;

import dev.penstock.error.PenstockException;
import dev.penstock.kernel.KernelSelection;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.step.Deserialize;
import dev.penstock.target.FragmentHeader;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Gets a server ready for text. Its steps take seconds of a processor to be compiled, and until
 * then a loader, which has to start anyway, is as quick. So a server takes no text at first, but
 * keeps a chunk of it; and while no load is open the steps run over that again and again, and what
 * they make of it is forgotten. They stop when a load begins and go on when none is left. Where one
 * load follows another, and all that come would be slower for it, they wait for ten seconds and
 * then run beside the loads.
 *
 * <p>Phases: nothing kept; {@link #keep}; {@link #loadEnded} until {@link #isReady}. Thread-safe.
 */
public final class Rehearsal {
    /** After so much text the steps have been compiled, those too that are called by chunk. */
    private static final long READY_BYTES = 1 << 30;

    /** A text that is shorter or longer is not kept: few rows are not like many. */
    private static final int LEAST_BYTES = 1 << 20;

    private static final int MOST_BYTES = 24 << 20;

    /** A few short loads. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    /** What loads, their merges and one more text need together; else there is no hurry. */
    private static final long HASTE_HEAP_BYTES = 768L << 20;

    private final Executor thread;
    private final BooleanSupplier idle;
    private final LongSupplier nanoTime;
    private final Limits limits;
    private final AtomicLong parsedBytes = new AtomicLong();

    // Guarded by this.
    private @Nullable Text kept;
    private long keptAtNanos;
    private boolean running;
    private boolean closed;

    /**
     * When to begin and to end.
     *
     * @param leastBytes of a text that is kept
     * @param readyBytes of texts, after which the server is ready
     * @param patienceNanos how long a text waits for a time without loads
     */
    record Limits(int leastBytes, long readyBytes, long patienceNanos) {
        static Limits ofThisProcess() {
            boolean hasRoom = Runtime.getRuntime().maxMemory() >= HASTE_HEAP_BYTES;
            return new Limits(LEAST_BYTES, READY_BYTES, hasRoom ? PATIENCE_NANOS : Long.MAX_VALUE);
        }
    }

    private record Text(LoadDescriptor load, FragmentHeader header, byte[] payload, int length) {}

    /**
     * @param thread runs the steps, for seconds
     * @param idle whether no load is open
     */
    public Rehearsal(Executor thread, BooleanSupplier idle) {
        this(thread, idle, System::nanoTime, Limits.ofThisProcess());
    }

    Rehearsal(Executor thread, BooleanSupplier idle, LongSupplier nanoTime, Limits limits) {
        this.thread = thread;
        this.idle = idle;
        this.nanoTime = nanoTime;
        this.limits = limits;
    }

    /** Whether this server would be done with text at once. */
    public boolean isReady() {
        return parsedBytes.get() >= limits.readyBytes();
    }

    /** Takes a chunk's text that is no part of its load, if there is a use for it. */
    synchronized void keep(LoadDescriptor load, FragmentHeader header, byte[] payload, int length) {
        boolean wanted = kept == null && !isReady();
        if (wanted && length >= limits.leastBytes() && length <= MOST_BYTES) {
            byte[] copy = Arrays.copyOf(payload, length + Deserialize.PADDING);
            kept = new Text(load, header, copy, length);
            keptAtNanos = nanoTime.getAsLong();
        }
    }

    /** Text has been parsed. */
    void parsed(long textBytes) {
        parsedBytes.addAndGet(textBytes);
    }

    /** The steps stop, and do not begin any more; does not wait for them. */
    public synchronized void close() {
        closed = true;
    }

    /** A load is not open any more, which may be the only one. */
    public synchronized void loadEnded() {
        if (!running && mayRun()) {
            running = true;
            thread.execute(this::run);
        }
    }

    private synchronized boolean mayRun() {
        long waitedNanos = nanoTime.getAsLong() - keptAtNanos;
        return !closed
                && kept != null
                && (idle.getAsBoolean() || waitedNanos >= limits.patienceNanos());
    }

    private void run() {
        try {
            Text text = text();
            if (text != null) {
                KernelSelection.vectorsNow();
                rehearse(text);
            }
        } catch (PenstockException | AnsweredRejects.Declined e) {
            // A text that is no good: another one may be.
            forget();
        } finally {
            synchronized (this) {
                running = false;
                if (isReady()) {
                    kept = null;
                }
            }
        }
    }

    private void rehearse(Text text) {
        RehearsedSteps steps =
                new RehearsedSteps(text.load(), text.header(), text.payload(), text.length());
        while (!isReady() && mayRun()) {
            TextRoom.OF_THIS_PROCESS.take(text.length());
            try {
                steps.run();
            } finally {
                TextRoom.OF_THIS_PROCESS.giveBack(text.length());
            }
            parsed(text.length());
        }
    }

    private synchronized @Nullable Text text() {
        return kept;
    }

    private synchronized void forget() {
        kept = null;
    }
}
