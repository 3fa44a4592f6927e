package dev.penstock.kv.node;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Another thread that runs things while the caller waits; what it throws, the caller throws. */
final class OneByOne implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private @Nullable AssertionError failure;

    void run(Runnable action) {
        Future<?> done = thread.submit(action);
        try {
            done.get();
        } catch (ExecutionException e) {
            if (failure == null) {
                failure = new AssertionError(e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
        if (failure != null) {
            throw failure;
        }
    }
}
