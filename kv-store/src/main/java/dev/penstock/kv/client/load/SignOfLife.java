package dev.penstock.kv.client.load;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.UncaughtError;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tells the leader every few seconds that the loader of a load lives, and learns from its answer
 * when the load has been ended there or another loader has resumed it. One thread, until it is
 * closed.
 */
final class SignOfLife implements AutoCloseable {
    private static final long PERIOD_SECONDS = 5;

    private final MetadataService metadata;
    private final String loadId;
    private final long loader;
    private final Consumer<PenstockException> ended;
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("penstock-sign-of-life").daemon().factory());

    /**
     * @param loader a number that no other loader of the load has
     * @param ended is told if the load runs no more, or not here
     */
    SignOfLife(
            MetadataService metadata,
            String loadId,
            long loader,
            Consumer<PenstockException> ended) {
        this.metadata = metadata;
        this.loadId = loadId;
        this.loader = loader;
        this.ended = ended;
        executor.scheduleWithFixedDelay(
                this::giveAndGoOn, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    /** If the leader cannot be asked now, what the load sends to servers tells more. */
    private void giveAndGoOn() {
        try {
            give();
        } catch (RuntimeException | Error e) {
            // A task that throws would not run again.
            UncaughtError.handOn(e);
        }
    }

    /** Gives one now. */
    void give() {
        LoadState state;
        try {
            state = metadata.signOfLife(loadId, loader);
        } catch (PenstockException e) {
            if (e.category() == ErrorCategory.CONFLICT) {
                ended.accept(e);
            }
            return;
        }
        switch (state) {
            case RUNNING, PUBLISHED -> {}
            case ABORTED, UNKNOWN ->
                    ended.accept(
                            PenstockException.conflict(
                                    "load "
                                            + loadId
                                            + " was aborted: the leader has started anew or did"
                                            + " not hear of this loader for a minute; load"
                                            + " again"));
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
