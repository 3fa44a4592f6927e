package dev.penstock.kv.region;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Rows in memory together with the write-ahead log that brings them back. The log file is created
 * by the first change.
 */
final class LoggedDelta {
    /** Of none. */
    private static final long NO_CHANGE = Long.MAX_VALUE;

    private final Delta delta;
    private @Nullable WriteAheadLog log;

    /** The change that was logged and not applied whole, as memory was used up. */
    private volatile long torn = NO_CHANGE;

    LoggedDelta(Delta delta) {
        this.delta = delta;
    }

    Delta delta() {
        return delta;
    }

    /** Logs and applies a change, not visible yet; under the region's write lock. */
    long append(WriteOperation operation, Supplier<WriteAheadLog> newLog) {
        checkWhole(delta.lastSequence());
        WriteAheadLog current = log;
        if (current == null) {
            current = newLog.get();
            log = current;
        }
        long logged = current.append(operation);
        long applied = delta.begin();
        if (logged != applied) {
            throw new IllegalStateException("change " + applied + " is record " + logged);
        }
        torn = applied;
        delta.apply(operation);
        torn = NO_CHANGE;
        return applied;
    }

    /** Nothing of a change may be seen of which a part is missing until the log is read again. */
    private void checkWhole(long sequence) {
        if (sequence >= torn) {
            throw new PenstockException(
                    ErrorCategory.IO,
                    "a change was logged and then memory was used up; restart the server, which"
                            + " reads the change from the log");
        }
    }

    /** Makes a change durable, then visible. */
    void commit(long sequence) {
        checkWhole(sequence);
        WriteAheadLog current = log;
        if (current != null) {
            current.commit(sequence);
        }
        delta.advance(sequence);
    }

    /** Commits what is left after the last change; once frozen. */
    void commitAll() {
        commit(delta.lastSequence());
    }

    void close() {
        WriteAheadLog current = log;
        if (current != null) {
            current.close();
        }
    }
}
