package dev.penstock.kv.region;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.LogWriter;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.Storage;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * The way in for single rows. Under the write lock a change is appended to the log and to the rows
 * in memory, where nobody sees it; without the lock its log record is forced, together with others,
 * and then it is seen. Thread-safe.
 */
final class RegionWrites {
    /** Nothing keeps an operation from being written. */
    static final long NO_OBSTACLE = -1;

    private final Storage storage;
    private final RegionFiles files;
    private final Runnable beforeLog;
    private final RowMemory.Share memory;
    private final ReentrantLock lock = new ReentrantLock();
    private LoggedDelta active;
    private long nextLog;
    private volatile boolean open = true;

    /**
     * @param beforeLog to be run before a log is created
     * @param nextLog number of the next log file
     * @param memory where rows count
     */
    RegionWrites(
            Storage storage,
            RegionFiles files,
            Runnable beforeLog,
            long nextLog,
            RowMemory.Share memory) {
        this.storage = storage;
        this.files = files;
        this.beforeLog = beforeLog;
        this.nextLog = nextLog;
        this.memory = memory;
        this.active = new LoggedDelta(new Delta(nextLog, memory));
    }

    Delta active() {
        lock.lock();
        try {
            return active.delta();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes if there is no obstacle; durable and visible on return. If there is one, all that was
     * written before is.
     *
     * @param obstacle asked about the active rows while they cannot change
     * @return the obstacle
     */
    long insert(WriteOperation operation, ToLongFunction<Delta> obstacle) {
        LoggedDelta target;
        long sequence;
        long found;
        lock.lock();
        try {
            if (!open) {
                throw new PenstockException(
                        ErrorCategory.REROUTE,
                        "region "
                                + files.regionId()
                                + " takes no rows: it is being split or dropped");
            }
            target = active;
            found = obstacle.applyAsLong(target.delta());
            sequence =
                    found == NO_OBSTACLE
                            ? target.append(operation, this::newLog)
                            : target.delta().lastSequence();
        } finally {
            lock.unlock();
        }
        target.commit(sequence);
        return found;
    }

    /** Whether rows may come here, and not to regions that have taken its place. */
    boolean isOpen() {
        return open;
    }

    /** What was written before is durable and visible on return. */
    void settle() {
        LoggedDelta target;
        long sequence;
        lock.lock();
        try {
            target = active;
            sequence = target.delta().lastSequence();
        } finally {
            lock.unlock();
        }
        target.commit(sequence);
    }

    private WriteAheadLog newLog() {
        beforeLog.run();
        WriteAheadLog log =
                new WriteAheadLog(
                        LogWriter.create(
                                storage,
                                files.log(nextLog),
                                LogKind.WRITE_AHEAD,
                                files.regionId()));
        nextLog++;
        return log;
    }

    /**
     * Puts an empty delta in the place of the active one, which changes no more.
     *
     * @param swap told the new delta before any row comes to it
     */
    LoggedDelta freeze(Consumer<Delta> swap) {
        lock.lock();
        try {
            LoggedDelta frozen = active;
            LoggedDelta next = new LoggedDelta(new Delta(nextLog, memory));
            swap.accept(next.delta());
            active = next;
            return frozen;
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more rows, if there are none in memory now. */
    boolean closeIfEmpty() {
        lock.lock();
        try {
            if (active.delta().isEmpty()) {
                open = false;
            }
            return !open;
        } finally {
            lock.unlock();
        }
    }

    void reopen() {
        lock.lock();
        try {
            open = true;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            open = false;
            active.close();
        } finally {
            lock.unlock();
        }
    }
}
