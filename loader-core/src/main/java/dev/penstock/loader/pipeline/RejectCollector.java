package dev.penstock.loader.pipeline;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.reject.Reject;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Collects the rejects of one chunk and passes them on, at most {@link #MAX_HELD} at a time. Ends
 * the chunk by an exception when the receiver says that there are too many. Owned by one thread.
 */
public final class RejectCollector implements Consumer<Reject> {
    private static final int MAX_HELD = 512;
    private static final long MAX_HELD_BYTES = 1 << 20;

    /** Takes rejects of one chunk. */
    public interface Receiver {
        /**
         * Takes the rejects.
         *
         * @return whether the load has more rejects than allowed
         */
        boolean rejected(int chunkId, List<Reject> rejects);
    }

    private final Receiver receiver;
    private final List<Reject> held = new ArrayList<>();
    private int chunkId;
    private long count;
    private long heldBytes;
    private final boolean eager;

    /**
     * @param eager whether each reject is passed on at once, as when the first one ends the load
     */
    public RejectCollector(Receiver receiver, boolean eager) {
        this.receiver = receiver;
        this.eager = eager;
    }

    /** Starts a new chunk. */
    public void begin(int newChunkId) {
        held.clear();
        heldBytes = 0;
        chunkId = newChunkId;
    }

    @Override
    public void accept(Reject reject) {
        held.add(reject);
        count++;
        heldBytes += reject.record().length;
        if (eager || held.size() >= MAX_HELD || heldBytes >= MAX_HELD_BYTES) {
            flush();
        }
    }

    /** Rejects so far, over all chunks. */
    long count() {
        return count;
    }

    /** Passes on what is held. */
    public void flush() {
        if (held.isEmpty()) {
            return;
        }
        List<Reject> rejects = List.copyOf(held);
        held.clear();
        heldBytes = 0;
        if (receiver.rejected(chunkId, rejects)) {
            throw new PenstockException(ErrorCategory.DATA, "more records are bad than allowed");
        }
    }
}
