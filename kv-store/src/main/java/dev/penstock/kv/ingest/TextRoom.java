package dev.penstock.kv.ingest;

import dev.penstock.error.PenstockException;

import java.util.concurrent.Semaphore;

/**
 * Heap for texts that are being made fragments: loaders choose how long these are, and know nothing
 * of this process's heap or its threads. Whoever has room waits for nobody who has none; a text
 * that needs more than there is goes alone. Thread-safe.
 */
public final class TextRoom {
    /** Of all servers of this process, which share its heap. */
    static final TextRoom OF_THIS_PROCESS = new TextRoom(Runtime.getRuntime().maxMemory() / 3);

    /** Bytes for one of text, about: its columns, their codes, and what they become. */
    private static final int BYTES_FOR_ONE = 7;

    /** Shorter ones repeat dictionaries, and what is done once for each. */
    private static final int LEAST_SUITING_BYTES = 6 << 20;

    /** Longer ones are not taken faster. */
    private static final int MOST_SUITING_BYTES = 16 << 20;

    private final int limit;
    private final Semaphore free;

    TextRoom(long bytes) {
        limit = Math.clamp(bytes / BYTES_FOR_ONE, 1, Integer.MAX_VALUE);
        free = new Semaphore(limit, true);
    }

    /**
     * A text's length that suits this process: all processors have one in work, and its rows do not
     * take more memory than those of a fragment may, whatever they consist of.
     */
    public static int suitingBytes() {
        return OF_THIS_PROCESS.suitingBytes(
                Runtime.getRuntime().availableProcessors(), FragmentSteps.memoryBytes());
    }

    int suitingBytes(int processors, long memoryBytes) {
        long most = Math.min(MOST_SUITING_BYTES, memoryBytes / TextParser.MOST_ROW_BYTES_FOR_ONE);
        return Math.clamp(
                limit / processors, (int) Math.min(LEAST_SUITING_BYTES, most), (int) most);
    }

    /** Waits for room; to be given back. */
    void take(int textBytes) {
        try {
            free.acquire(counted(textBytes));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PenstockException.conflict("the wait for memory for a text was interrupted");
        }
    }

    void giveBack(int textBytes) {
        free.release(counted(textBytes));
    }

    private int counted(int textBytes) {
        return Math.min(textBytes, limit);
    }
}
