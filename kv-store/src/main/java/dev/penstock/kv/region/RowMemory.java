package dev.penstock.kv.region;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.MemoryUsedUp;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Heap for the rows that are in no segment yet, of all regions of a server together. Who is about
 * to write rows makes room first: it has the region with the most of them flushed, whichever that
 * is. So it may be exceeded by one call of each writer, and a write that finds no room has stored
 * nothing. A row counts from when it is in memory until the flush of its region is done; what
 * readers that began before still hold then does not count, or they would stop writers.
 * Thread-safe.
 *
 * <p>One thread flushes at a time, since what a flush encodes takes heap too. It holds the lock of
 * this first and a region's locks after it: nobody makes room under a lock of a region.
 */
public final class RowMemory {
    /** The last quarter is for what others write while one flushes. */
    private static final int AHEAD_SHARE = 4;

    /** The first flush that fails may be the trouble of one region; the second is the disk's. */
    private static final int ATTEMPTS = 2;

    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();
    private final ReentrantLock flushing = new ReentrantLock();

    /** Regions that can be flushed, each with what does so if it still has so many bytes. */
    private final Map<Share, LongConsumer> flushes = new ConcurrentHashMap<>();

    /**
     * @param maxBytes of heap, about
     */
    public RowMemory(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** What the rows of all regions take, in bytes of heap, about. */
    public long bytes() {
        return bytes.get();
    }

    private boolean isFull() {
        return bytes.get() > maxBytes;
    }

    /** For a region that is being opened; it is not flushed by others before it has joined. */
    Share share() {
        return new Share();
    }

    /**
     * To be called before rows are written, without a lock of any region. Returns when there is
     * room; while there is little, one of the callers flushes.
     *
     * @throws PenstockException of category {@code IO} if there is none because flushing fails
     */
    void makeRoom() {
        if (bytes.get() > maxBytes - maxBytes / AHEAD_SHARE && flushing.tryLock()) {
            try {
                flushAhead();
            } finally {
                flushing.unlock();
            }
        }
        if (isFull()) {
            flushing.lock();
            try {
                flushUntilThereIsRoom();
            } finally {
                flushing.unlock();
            }
        }
    }

    /** A failure is told to who finds no room at last; until then that region is left alone. */
    private void flushAhead() {
        Share most = most(share -> !share.failed);
        if (most != null) {
            flushOrFail(most);
        }
    }

    private void flushUntilThereIsRoom() {
        int failures = 0;
        while (isFull()) {
            Share most = most();
            if (most == null) {
                return;
            }
            Optional<Throwable> failure = flushOrFail(most);
            if (failure.isPresent()) {
                failures++;
                if (failures == ATTEMPTS) {
                    throw noRoom(failure.get());
                }
            }
        }
    }

    /**
     * Whatever the trouble of that region is: a page of a file that cannot be read, too little heap
     * or a fault of this program. Those who write to other regions have nothing to do with it.
     */
    private Optional<Throwable> flushOrFail(Share share) {
        try {
            flush(share);
            return Optional.empty();
        } catch (RuntimeException | InternalError | OutOfMemoryError e) {
            share.failed = true;
            return Optional.of(e);
        }
    }

    private static String says(Throwable failure) {
        return switch (failure) {
            case PenstockException known -> String.valueOf(known.getMessage());
            case OutOfMemoryError memory -> MemoryUsedUp.says(memory);
            default -> failure.toString();
        };
    }

    private PenstockException noRoom(Throwable cause) {
        return new PenstockException(
                ErrorCategory.IO,
                String.format(
                        Locale.ROOT,
                        "the memory for rows that wait to be written to segments (%d MiB) is full,"
                                + " and writing them fails: %s; nothing was stored",
                        maxBytes >> 20,
                        says(cause)),
                cause);
    }

    private void flush(Share share) {
        LongConsumer flush = flushes.get(share);
        if (flush != null) {
            flush.accept(share.bytes());
        }
    }

    /** The region with the most rows of those whose last flush has not failed, or else of all. */
    private @Nullable Share most() {
        Share most = most(share -> !share.failed);
        return most == null ? most(share -> true) : most;
    }

    private @Nullable Share most(Predicate<Share> which) {
        Share most = null;
        long mostBytes = 0;
        for (Share share : flushes.keySet()) {
            long shareBytes = share.bytes();
            if (shareBytes > mostBytes && which.test(share)) {
                most = share;
                mostBytes = shareBytes;
            }
        }
        return most;
    }

    /** What one region's rows take. */
    final class Share {
        private final AtomicLong shareBytes = new AtomicLong();

        /** Whether the last flush that this memory asked for failed, and none was done since. */
        private volatile boolean failed;

        private Share() {}

        long bytes() {
            return shareBytes.get();
        }

        void grow(long more) {
            shareBytes.addAndGet(more);
            bytes.addAndGet(more);
        }

        /** After a flush. */
        void shrink(long less) {
            failed = false;
            grow(-less);
        }

        /**
         * From now on the region is flushed when it has the most rows.
         *
         * @param flush flushes the region if it has at least so many bytes of rows; fewer if
         *     another thread has flushed it meanwhile
         */
        void join(LongConsumer flush) {
            flushes.put(this, flush);
        }

        /**
         * Makes room while the region is being opened, by flushing others that have more rows and
         * can be flushed.
         *
         * @return whether there is still too little and this region has the most of those
         */
        boolean hasTooMany() {
            flushing.lock();
            try {
                while (isFull()) {
                    Share most = most(share -> !share.failed);
                    if (most == null || most.bytes() <= bytes()) {
                        return bytes() > 0;
                    }
                    flushOrFail(most);
                }
                return false;
            } finally {
                flushing.unlock();
            }
        }

        /** The region is no more; nothing grows after it. */
        void close() {
            flushes.remove(this);
            shrink(bytes());
        }
    }
}
