package dev.penstock.kv.net;

import dev.penstock.error.PenstockException;

import java.util.concurrent.Semaphore;

/**
 * Bytes of fragments that this process may have on their way at a time, over all its connections:
 * servers grant credit by their heaps, and each byte of it is held in this one until it is
 * acknowledged. Senders wait here in the order in which they came, so that a large fragment is not
 * passed by small ones for ever; one larger than the whole goes alone.
 *
 * <p>Whoever waits here may hold credit of one server, and what is on its way, to whichever server,
 * waits for no sender: so nobody waits in a circle. Thread-safe.
 */
final class OutboundBudget {
    private final int limit;
    private final Semaphore free;

    OutboundBudget(long limit) {
        this.limit = Math.clamp(limit, 1, Integer.MAX_VALUE);
        free = new Semaphore(this.limit, true);
    }

    /** Takes the bytes, waiting for them. */
    void take(long bytes) {
        try {
            free.acquire(counted(bytes));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PenstockException.io("the wait for memory to send was interrupted", e);
        }
    }

    /** Gives back what was taken in one call. */
    void giveBack(long bytes) {
        free.release(counted(bytes));
    }

    private int counted(long bytes) {
        return (int) Math.min(bytes, limit);
    }

    /** Bytes on their way; of a fragment larger than the whole, as many as the whole. */
    int used() {
        return limit - free.availablePermits();
    }
}
