package dev.penstock.kv.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of replies that a server has made and its clients have not taken. A request whose reply may
 * be large is not begun while its connection holds too many of them; nor, while all connections
 * together hold too many, if its own holds any. It waits, without a thread, until its client has
 * taken some: so a slow client gets all its answers, and one that takes none holds no more than
 * this and what was under way.
 *
 * <p>Nobody waits in a circle: whoever waits has replies of the same connection before it, and
 * these go when the client takes them or the connection ends. Thread-safe.
 */
final class ReplyBudget {
    private static final long MOST_OF_ONE = 16 << 20;

    /** Few clients that are slow leave the others their room. */
    private static final int SHARE_OF_ONE = 4;

    /** Whoever has waited goes on when so little is left that it does not wait at once again. */
    private static final int REST_SHARE = 4;

    private final long limit;
    private final long limitOfOne;
    private final AtomicLong used = new AtomicLong();
    private final AtomicInteger kept = new AtomicInteger();

    ReplyBudget(long limit) {
        this.limit = limit;
        this.limitOfOne = Math.min(MOST_OF_ONE, limit / SHARE_OF_ONE);
    }

    /** For a connection, whose replies are all sent or failed in the end. */
    Share share() {
        return new Share();
    }

    /** Bytes that are held now. */
    long used() {
        return used.get();
    }

    /** Requests that wait now. */
    int waiting() {
        return kept.get();
    }

    /** The replies of one connection, and its requests that wait for them to go. */
    final class Share {
        private final AtomicLong bytes = new AtomicLong();

        /** Guarded by this. */
        private final Deque<Runnable> waiting = new ArrayDeque<>();

        private Share() {}

        /** Whether no further reply is to be made now. */
        boolean isFull() {
            return bytes.get() > (used.get() > limit ? 0 : limitOfOne);
        }

        /**
         * Keeps a request until there is room, unless there is some now.
         *
         * @param again run once, on any thread; asks again
         * @return whether it is kept
         */
        boolean keep(Runnable again) {
            if (!isFull()) {
                return false;
            }
            synchronized (this) {
                // Whoever sends the last of what is held looks here after that.
                if (hasRoom()) {
                    return false;
                }
                waiting.addLast(again);
                kept.incrementAndGet();
                return true;
            }
        }

        /** A reply is made. */
        void add(long more) {
            bytes.addAndGet(more);
            used.addAndGet(more);
        }

        /** It is gone, or never will be. */
        void remove(long less) {
            used.addAndGet(-less);
            bytes.addAndGet(-less);
            takeWaiting().forEach(Runnable::run);
        }

        private synchronized List<Runnable> takeWaiting() {
            if (waiting.isEmpty() || !hasRoom()) {
                return List.of();
            }
            List<Runnable> taken = new ArrayList<>(waiting);
            waiting.clear();
            kept.addAndGet(-taken.size());
            return taken;
        }

        private boolean hasRoom() {
            return bytes.get() <= (used.get() > limit ? 0 : limitOfOne / REST_SHARE);
        }

        /** Whether requests wait; some time after that they are all run. */
        synchronized boolean hasWaiting() {
            return !waiting.isEmpty();
        }
    }
}
