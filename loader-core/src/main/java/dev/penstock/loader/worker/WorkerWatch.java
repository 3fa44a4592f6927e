package dev.penstock.loader.worker;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks after worker processes that neither answer nor end, as those do that are stopped: whoever
 * waits for one would wait for ever. Has a thread until it is closed.
 */
final class WorkerWatch implements AutoCloseable {
    private final List<WorkerProcess> workers;
    private final Consumer<PenstockException> silence;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * @param silence told of a worker that has been waited for too long
     */
    WorkerWatch(List<WorkerProcess> workers, Consumer<PenstockException> silence) {
        this.workers = List.copyOf(workers);
        this.silence = silence;
    }

    static WorkerWatch start(List<WorkerProcess> workers, Consumer<PenstockException> silence) {
        WorkerWatch watch = new WorkerWatch(workers, silence);
        Thread.ofPlatform().daemon().name("penstock-worker-watch").start(watch::run);
        return watch;
    }

    private void run() {
        try {
            while (!closed.await(Patience.INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Counts one interval for each worker. */
    void look() {
        for (WorkerProcess worker : workers) {
            if (worker.patience().count()) {
                long seconds = Patience.MOST_INTERVALS * Patience.INTERVAL.toSeconds();
                silence.accept(
                        new PenstockException(
                                ErrorCategory.IO,
                                worker.name()
                                        + " gave no sign of life for "
                                        + seconds
                                        + " s, which ended the load."));
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
