package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Cancels a statement when its query timeout is over; from {@link #start} to {@link #end}.
 * Thread-safe.
 */
final class Deadline {
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final Statement statement;
    private final Runnable cancel;
    private @Nullable ScheduledFuture<?> pending;
    private volatile boolean passed;

    /**
     * Of a statement.
     *
     * @param cancel stops what the driver runs for it
     */
    Deadline(Statement statement, Runnable cancel) {
        this.statement = statement;
        this.cancel = cancel;
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        task ->
                                Thread.ofPlatform()
                                        .daemon()
                                        .name("penstock-timeout")
                                        .unstarted(task));
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    synchronized void start() throws SQLException {
        end();
        passed = false;
        int seconds = statement.getQueryTimeout();
        if (seconds > 0) {
            pending = TIMER.schedule(this::pass, seconds, TimeUnit.SECONDS);
        }
    }

    synchronized void end() {
        if (pending != null) {
            pending.cancel(false);
            pending = null;
        }
    }

    /** Whether the statement ran longer than it may. */
    boolean hasPassed() {
        return passed;
    }

    private void pass() {
        passed = true;
        cancel.run();
        try {
            statement.cancel();
        } catch (SQLException e) {
            // The statement is closed: nothing is left to cancel.
            return;
        }
    }
}
