package dev.penstock.loader.pipeline;

import dev.penstock.step.Encode;

import org.jspecify.annotations.Nullable;

/**
 * In which form each column of a load's fragments is smallest, as far as one of the threads of this
 * process has looked at its values; and whose turn it is to look. All threads read parts of the
 * same input, so what one finds holds for the others: they look at one chunk's values before
 * anything is decided, at another's after {@link #REFRESH_CHUNKS} chunks of all threads, and then
 * after ever more, up to {@link #MAX_REFRESH_CHUNKS}.
 *
 * <p>One for each load of a process, for as long as chunks are encoded. Thread-safe; reading costs
 * one volatile load.
 */
public final class ColumnForms {
    static final int REFRESH_CHUNKS = 16;
    private static final int MAX_REFRESH_CHUNKS = 128;

    /**
     * One choice for each column; not to be changed.
     *
     * @param withoutDictionary where no dictionary may be built
     */
    record Best(Encode.Choice[] any, Encode.Choice[] withoutDictionary) {}

    private volatile @Nullable Best best;

    // Guarded by this

    /** Chunks before the next look at values, and how many after that one to the one after. */
    private long untilLook;

    private long pause = REFRESH_CHUNKS;

    /**
     * For each chunk, before it is encoded: whether its thread is to look at its values and {@link
     * #decide}. Threads that begin at the same time each look, as none can wait for another.
     */
    synchronized boolean isToLook() {
        if (best == null) {
            return true;
        }
        untilLook--;
        if (untilLook > 0) {
            return false;
        }
        plan();
        return true;
    }

    private void plan() {
        untilLook = pause;
        pause = Math.min(2 * pause, MAX_REFRESH_CHUNKS);
    }

    /** What a thread has found. */
    synchronized void decide(Best found) {
        if (best == null) {
            plan();
        }
        best = found;
    }

    /** What was found last; null before anything was. */
    @Nullable Best best() {
        return best;
    }
}
