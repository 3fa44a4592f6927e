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

/**
 * Gets a server ready for text. Its steps take seconds of a processor to be compiled, and until
 * then a loader, which has to start anyway, is as quick. So a server takes no text at first, but
 * keeps a chunk of it; and while no load is open the steps run over that again and again, and what
 * they make of it is forgotten. They stop when a load begins and go on when none is left.
 *
 * <p>Phases: nothing kept; {@link #keep}; {@link #loadsHaveEnded} until {@link #isReady}.
 * Thread-safe.
 */
public final class Rehearsal {
    /** After so much text the steps have been compiled, those too that are called by chunk. */
    private static final long READY_BYTES = 1 << 30;

    /** A text that is shorter or longer is not kept: few rows are not like many. */
    private static final int LEAST_BYTES = 1 << 20;

    private static final int MOST_BYTES = 24 << 20;

    private final Executor thread;
    private final BooleanSupplier idle;
    private final int leastBytes;
    private final long readyBytes;
    private final AtomicLong parsedBytes = new AtomicLong();

    // Guarded by this.
    private @Nullable Text kept;
    private boolean running;

    private record Text(LoadDescriptor load, FragmentHeader header, byte[] payload, int length) {}

    /**
     * @param thread runs the steps, for seconds
     * @param idle whether no load is open
     */
    public Rehearsal(Executor thread, BooleanSupplier idle) {
        this(thread, idle, LEAST_BYTES, READY_BYTES);
    }

    Rehearsal(Executor thread, BooleanSupplier idle, int leastBytes, long readyBytes) {
        this.thread = thread;
        this.idle = idle;
        this.leastBytes = leastBytes;
        this.readyBytes = readyBytes;
    }

    /** Whether this server would be done with text at once. */
    public boolean isReady() {
        return parsedBytes.get() >= readyBytes;
    }

    /** Takes a chunk's text that is no part of its load, if there is a use for it. */
    synchronized void keep(LoadDescriptor load, FragmentHeader header, byte[] payload, int length) {
        boolean wanted = kept == null && !isReady();
        if (wanted && length >= leastBytes && length <= MOST_BYTES) {
            byte[] copy = Arrays.copyOf(payload, length + Deserialize.PADDING);
            kept = new Text(load, header, copy, length);
        }
    }

    /** Text has been parsed. */
    void parsed(long textBytes) {
        parsedBytes.addAndGet(textBytes);
    }

    /** No load may be open any more. */
    public void loadsHaveEnded() {
        synchronized (this) {
            if (kept == null || running || !idle.getAsBoolean()) {
                return;
            }
            running = true;
        }
        thread.execute(this::run);
    }

    private void run() {
        try {
            Text text = text();
            if (text != null) {
                KernelSelection.vectorsNow();
                RehearsedSteps steps =
                        new RehearsedSteps(
                                text.load(), text.header(), text.payload(), text.length());
                while (!isReady() && idle.getAsBoolean()) {
                    steps.run();
                    parsed(text.length());
                }
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

    private synchronized @Nullable Text text() {
        return kept;
    }

    private synchronized void forget() {
        kept = null;
    }
}
