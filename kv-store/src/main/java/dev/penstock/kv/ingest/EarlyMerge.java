package dev.penstock.kv.ingest;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A merge of one region's fragments that is done before the load ends, because it looks as if all
 * of them had come. It is tried once. Whoever has a further fragment ends it first, and gets the
 * result to throw it away. One that fails says nothing: the merge at the load's end meets the same
 * fault and tells. Thread-safe.
 */
final class EarlyMerge<T> {
    private enum State {
        NOT_BEGUN,
        RUNNING,
        DONE,
        OVER
    }

    private volatile boolean unwanted;

    // Guarded by this
    private State state = State.NOT_BEGUN;
    private @Nullable T result;

    /** Claims it for the calling thread, which must {@link #run} it; false if it was tried. */
    synchronized boolean begin() {
        if (state != State.NOT_BEGUN) {
            return false;
        }
        state = State.RUNNING;
        return true;
    }

    /**
     * Merges.
     *
     * @param merge is told whether it is to give up, which it does by throwing
     */
    void run(Function<BooleanSupplier, T> merge) {
        @Nullable T merged = null;
        try {
            merged = merge.apply(() -> unwanted);
        } catch (RuntimeException | OutOfMemoryError e) {
            // Nothing is lost but time: the fragments are all there for the merge at the end.
        } finally {
            ended(merged);
        }
    }

    private synchronized void ended(@Nullable T merged) {
        result = merged;
        state = merged == null ? State.OVER : State.DONE;
        notifyAll();
    }

    /** Whether it runs or has brought something, so that a further fragment proves it wrong. */
    synchronized boolean isUnderWay() {
        return state == State.RUNNING || state == State.DONE;
    }

    /** Waits for one that runs; there is none any more after this. */
    synchronized Optional<T> take() {
        awaitEnd();
        state = State.OVER;
        Optional<T> taken = Optional.ofNullable(result);
        result = null;
        return taken;
    }

    /** Nobody waits for one that runs any more than to see it end. */
    void giveUp() {
        unwanted = true;
    }

    /** The same for whoever does not want it, unless it has not begun, which it still may then. */
    Optional<T> takeUnwanted() {
        if (!isUnderWay()) {
            return Optional.empty();
        }
        unwanted = true;
        return take();
    }

    private void awaitEnd() {
        boolean interrupted = false;
        while (state == State.RUNNING) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
