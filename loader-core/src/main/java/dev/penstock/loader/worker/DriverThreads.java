package dev.penstock.loader.worker;

import java.time.Duration;

/**
 * The threads of a driver, one for each worker. After a failure they are waited for only a while: a
 * process that cannot be killed, as it waits for a disk that does not answer, keeps its pipe open,
 * and whoever reads from it waits, too.
 */
final class DriverThreads {
    /** More than a worker that has been killed takes to end, and its last words to be read. */
    static final Duration PATIENCE_AFTER_FAILURE = Duration.ofSeconds(20);

    // Guarded by this.
    private int running;
    private boolean failed;

    /** Starts a thread, which is not to keep this process from ending. */
    synchronized void start(String name, Runnable work) {
        running++;
        Thread.ofPlatform()
                .daemon()
                .name(name)
                .start(() -> {
                    try {
                        work.run();
                    } finally {
                        ended();
                    }
                });
    }

    private synchronized void ended() {
        running--;
        notifyAll();
    }

    /** What the threads do is of no use any more. */
    synchronized void fail() {
        failed = true;
        notifyAll();
    }

    /** Waits until all have ended or, after {@link #fail}, for at most so long. */
    synchronized void await(Duration patience) throws InterruptedException {
        while (running > 0 && !failed) {
            wait();
        }
        long end = System.nanoTime() + patience.toNanos();
        long left = patience.toNanos();
        while (running > 0 && left > 0) {
            wait(Math.max(1, left / 1_000_000));
            left = end - System.nanoTime();
        }
    }
}
