package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Stops a statement when its query timeout is over; from {@link #start} to {@link #end}.
 * Thread-safe.
 */
final class Deadline {
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final Statement statement;
    private final Runnable stop;
    private @Nullable ScheduledFuture<?> pending;
    private volatile boolean passed;

    /**
     * Of a statement.
     *
     * @param stop stops what runs for it, and waits for nobody: one thread does so for all
     */
    Deadline(Statement statement, Runnable stop) {
        this.statement = statement;
        this.stop = stop;
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

    synchronized boolean isRunning() {
        return pending != null;
    }

    /** Whether the statement ran longer than it may. */
    boolean hasPassed() {
        return passed;
    }

    /** Who has ended just before is not stopped, and nor is what the statement runs next. */
    private synchronized void pass() {
        if (pending != null) {
            passed = true;
            stop.run();
        }
    }
}
