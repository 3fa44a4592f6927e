package dev.penstock.kv.client.load;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Tries again later what a lost connection prevented: with growing, jittered pauses, a few times.
 */
final class Resender implements AutoCloseable {
    /** Attempts after the first; the pauses add up to about six seconds. */
    static final int MAX_ATTEMPTS = 6;

    private static final long FIRST_PAUSE_MILLIS = 100;

    private @Nullable ScheduledThreadPoolExecutor executor;
    private boolean closed;

    /**
     * @param attempt 1 for the first repetition
     * @return false if it has been tried often enough; the task will not run then
     */
    synchronized boolean schedule(int attempt, Runnable task) {
        if (closed || attempt > MAX_ATTEMPTS) {
            return false;
        }
        ScheduledThreadPoolExecutor running = executor;
        if (running == null) {
            running =
                    new ScheduledThreadPoolExecutor(
                            1, Thread.ofPlatform().name("penstock-resend").daemon().factory());
            executor = running;
        }
        long pause = FIRST_PAUSE_MILLIS << (attempt - 1);
        running.schedule(
                task,
                pause + ThreadLocalRandom.current().nextLong(pause / 2 + 1),
                TimeUnit.MILLISECONDS);
        return true;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (executor != null) {
            executor.shutdownNow();
        }
    }
}
