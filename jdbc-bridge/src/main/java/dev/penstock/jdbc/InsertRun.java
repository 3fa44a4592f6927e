package dev.penstock.jdbc;

import dev.penstock.sql.BatchInsert;
import dev.penstock.sql.BatchInsert.Outcome;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;

/**
 * The INSERT that a statement runs without a plan, and how it is stopped: between blocks of rows,
 * and while it waits for a server. A store in this process is not interrupted, as that would close
 * its files; it keeps nobody waiting either. Of the statement's thread, but for {@link #cancel}.
 */
final class InsertRun {
    private static final String CANCELLED = "57014";

    private final boolean remote;
    private volatile boolean cancelled;
    private @Nullable Thread waiting;
    private boolean interrupted;

    /**
     * Of a statement.
     *
     * @param remote whether rows go to servers
     */
    InsertRun(boolean remote) {
        this.remote = remote;
    }

    /** The statement begins to run: what cancels it from now on is not forgotten. */
    synchronized void begin() {
        cancelled = false;
        interrupted = false;
    }

    /** Stores rows as {@link BatchInsert#run} does. */
    Outcome run(BatchInsert insert, List<@Nullable Object[]> rows) {
        enter();
        try {
            return insert.run(rows, () -> cancelled);
        } finally {
            leave();
        }
    }

    private synchronized void enter() {
        waiting = Thread.currentThread();
    }

    /** From here on nobody is interrupted; who was, by this, is no more. */
    @SuppressWarnings("ThreadInterrupted") // clears what cancel() has set
    private synchronized void leave() {
        waiting = null;
        if (interrupted) {
            Thread.interrupted();
        }
    }

    synchronized void cancel() {
        cancelled = true;
        if (remote && waiting != null) {
            interrupted = true;
            waiting.interrupt();
        }
    }

    /** Why rows could not be stored, in JDBC's words. */
    synchronized SQLException failed(RuntimeException failure, boolean timedOut) {
        if (!interrupted) {
            return SqlErrors.of(failure, timedOut);
        }
        String unknown = "; whether its last rows are stored is not known";
        return timedOut
                ? new SQLTimeoutException(
                        "The statement took longer than its query timeout" + unknown + ".",
                        CANCELLED,
                        failure)
                : new SQLException(
                        "The statement was cancelled" + unknown + ".", CANCELLED, failure);
    }
}
