package dev.penstock.kv.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Bytes of large requests that a server may hold at a time, over all connections. A connection
 * whose next frame does not fit stops reading before that frame until others have given back, so
 * that its sender waits in TCP; frames that were admitted are always read to their end.
 *
 * <p>Frames are admitted in the order in which they came, so that a large one is not passed by
 * small ones for ever; one larger than the whole goes alone. What is held waits for no frame that
 * stands in line: so nobody waits in a circle. Thread-safe.
 */
final class InboundBudget {
    private final long limit;

    // Guarded by this
    private long used;

    /** Each connection is in it once at most. */
    private final Deque<Place> line = new ArrayDeque<>();

    InboundBudget(long limit) {
        this.limit = limit;
    }

    /** A place for a connection, which has to {@link Place#leave} it when it ends. */
    Place place() {
        return new Place();
    }

    /**
     * Where one connection stands: before one frame at a time. Called by the thread of that
     * connection only.
     */
    final class Place {
        // Guarded by the budget
        private long wanted;
        private long granted;
        private Runnable admitted = () -> {};

        private Place() {}

        /**
         * Takes the bytes of a frame, to be given back by the caller, if nobody stands in line and
         * they fit (or nothing else is held). Else gets in line.
         *
         * @param whenAdmitted run once, on any thread, when the bytes have been taken; the same
         *     call then says so
         */
        boolean take(long bytes, Runnable whenAdmitted) {
            synchronized (InboundBudget.this) {
                if (granted > 0) {
                    granted = 0;
                    return true;
                }
                if (wanted > 0) {
                    return false;
                }
                if (line.isEmpty() && fits(bytes)) {
                    used += bytes;
                    return true;
                }
                wanted = bytes;
                admitted = whenAdmitted;
                line.addLast(this);
                return false;
            }
        }

        /** Nothing more is read from the connection; what it did not come to take is let go. */
        void leave() {
            List<Runnable> others;
            synchronized (InboundBudget.this) {
                line.remove(this);
                wanted = 0;
                used -= granted;
                granted = 0;
                others = admitFromLine();
            }
            others.forEach(Runnable::run);
        }
    }

    private boolean fits(long bytes) {
        return used == 0 || used + bytes <= limit;
    }

    /** Takes for whoever is first in line as long as there is room; returns who is to be told. */
    private List<Runnable> admitFromLine() {
        List<Runnable> told = new ArrayList<>();
        while (!line.isEmpty() && fits(line.getFirst().wanted)) {
            Place first = line.removeFirst();
            used += first.wanted;
            first.granted = first.wanted;
            first.wanted = 0;
            told.add(first.admitted);
        }
        return told;
    }

    void giveBack(long bytes) {
        if (bytes == 0) {
            return;
        }
        List<Runnable> told;
        synchronized (this) {
            used -= bytes;
            told = admitFromLine();
        }
        told.forEach(Runnable::run);
    }

    synchronized long used() {
        return used;
    }

    /** Frames that are not read yet for want of room. */
    synchronized int waiting() {
        return line.size();
    }
}
