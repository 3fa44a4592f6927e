package dev.penstock.kv.region;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Rows in memory together with the write-ahead log that brings them back. The log file is created
 * by the first change.
 */
final class LoggedDelta {
    private final Delta delta;
    private @Nullable WriteAheadLog log;

    LoggedDelta(Delta delta) {
        this.delta = delta;
    }

    Delta delta() {
        return delta;
    }

    /** Logs and applies a change, not visible yet; under the region's write lock. */
    long append(WriteOperation operation, Supplier<WriteAheadLog> newLog) {
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
        delta.apply(operation);
        return applied;
    }

    /** Makes a change durable, then visible. */
    void commit(long sequence) {
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
