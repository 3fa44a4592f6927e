package dev.penstock.kv.ingest;

import dev.penstock.step.MergeThreads;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lends a merge one more thread while fewer merges run than may and none waits: the last regions of
 * a load would leave processors without work. Asked anew for each piece of work, so that a merge
 * that comes does not wait for long. Thread-safe.
 */
final class SpareThread implements MergeThreads {
    private final Semaphore permits;
    private final Executor executor;

    /**
     * @param permits one for each merge that may run; the thread that is lent takes one, too
     * @param executor with threads enough for all of them
     */
    SpareThread(Semaphore permits, Executor executor) {
        this.permits = permits;
        this.executor = executor;
    }

    @Override
    public void run(Runnable work) {
        // Two merges side by side are faster than one with two threads, which shares but a part.
        if (permits.hasQueuedThreads() || !permits.tryAcquire()) {
            work.run();
            return;
        }
        Help help = new Help(work);
        try {
            ask(help);
            work.run();
        } finally {
            help.end();
            permits.release();
        }
        help.check();
    }

    /** A server that is being closed lends no more threads, and a merge goes on without. */
    private void ask(Help help) {
        try {
            executor.execute(help);
        } catch (RejectedExecutionException e) {
            // The caller does all of the work.
        }
    }

    /** The work of the other thread, which need not begin before the first one has done it all. */
    private static final class Help implements Runnable {
        private final Runnable work;
        private final AtomicBoolean claimed = new AtomicBoolean();
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile @Nullable Throwable failure;

        Help(Runnable work) {
            this.work = work;
        }

        // Whatever ends the work must reach the merge, errors included.
        @SuppressWarnings("CatchingUnchecked")
        @Override
        public void run() {
            if (!claimed.compareAndSet(false, true)) {
                return;
            }
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            } finally {
                ended.countDown();
            }
        }

        /** Nobody works any more on return. */
        void end() {
            if (claimed.compareAndSet(false, true)) {
                return;
            }
            boolean interrupted = false;
            while (true) {
                try {
                    ended.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void check() {
            Throwable thrown = failure;
            if (thrown instanceof RuntimeException e) {
                throw e;
            }
            if (thrown instanceof Error e) {
                throw e;
            }
        }
    }
}
