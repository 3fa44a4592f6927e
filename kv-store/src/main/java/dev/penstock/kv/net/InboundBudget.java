package dev.penstock.kv.net;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Bytes of large requests that a server may hold at a time, over all connections. A connection
 * whose next frame does not fit stops reading before that frame until others have given back, so
 * that its sender waits in TCP; frames that were admitted are always read to their end.
 */
final class InboundBudget {
    private final long limit;
    private long used;
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    InboundBudget(long limit) {
        this.limit = limit;
    }

    /**
     * Takes the bytes if they fit (or nothing else is held), or else remembers {@code retry}, which
     * is called once after bytes have been given back.
     */
    synchronized boolean take(long bytes, Runnable retry) {
        if (used > 0 && used + bytes > limit) {
            waiting.add(retry);
            return false;
        }
        used += bytes;
        return true;
    }

    void giveBack(long bytes) {
        if (bytes == 0) {
            return;
        }
        Queue<Runnable> retries;
        synchronized (this) {
            used -= bytes;
            retries = new ArrayDeque<>(waiting);
            waiting.clear();
        }
        retries.forEach(Runnable::run);
    }

    synchronized long used() {
        return used;
    }
}
