package dev.penstock.kv.ingest;

import dev.penstock.error.PenstockException;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for the rejects in the receipts of one load at one server: these are kept until the load
 * is published, so that who asks for a receipt again gets the same. Thread-safe.
 */
final class ReceiptRoom {
    private final long maxBytes;
    private final AtomicLong taken = new AtomicLong();

    ReceiptRoom(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Half of the heap; the other half is for messages and merges. */
    static ReceiptRoom ofThisProcess() {
        return new ReceiptRoom(Runtime.getRuntime().maxMemory() / 2);
    }

    /**
     * Takes room for one receipt.
     *
     * @throws PenstockException of category DATA if there is none
     */
    void take(long bytes) {
        if (taken.addAndGet(bytes) > maxBytes) {
            throw PenstockException.data(
                    "A server found more bad records than it can hold until the load is published ("
                            + (maxBytes >> 20)
                            + " MiB); nothing was loaded. Have the loader find them with --offload"
                            + " select.");
        }
    }
}
