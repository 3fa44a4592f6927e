package dev.penstock.kv.server;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.UncaughtError;
import dev.penstock.kv.node.RegionServerNode;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A server's place in its cluster: joins the leader, tries again until it answers, then reports
 * every few seconds that the server is alive, which also joins anew after the leader was gone, and
 * goes on whatever happens to one report. One thread; the pauses are the scheduler's.
 */
final class Membership implements AutoCloseable {
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 3_000;
    private static final long CLOSE_SECONDS = 20;

    private final Runnable join;
    private final Runnable report;
    private final long longestPauseMillis;
    private final Consumer<String> log;
    private final ScheduledExecutorService scheduler =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("penstock-membership").daemon().factory());
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private String lastFailure = "";
    private long pauseMillis = FIRST_PAUSE_MILLIS;

    /**
     * @param findLeader reaches the leader and notes who it is, or throws
     * @param address where this server listens
     */
    Membership(RegionServerNode node, Runnable findLeader, String address, Consumer<String> log) {
        this(
                () -> {
                    findLeader.run();
                    node.start(address, log);
                },
                node::heartbeat,
                LONGEST_PAUSE_MILLIS,
                log);
    }

    /** The same of anything that joins and reports. */
    Membership(Runnable join, Runnable report, long longestPauseMillis, Consumer<String> log) {
        this.join = join;
        this.report = report;
        this.longestPauseMillis = longestPauseMillis;
        this.log = log;
    }

    /**
     * Joins now if the leader answers, else in the background.
     *
     * @throws PenstockException if the leader refuses this server
     */
    void begin() {
        CompletableFuture<Void> first = CompletableFuture.runAsync(this::attempt, scheduler);
        try {
            first.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    /** Completes when this server serves. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    /** One attempt to join; what may pass is tried again later, everything else is thrown. */
    private void attempt() {
        try {
            join.run();
        } catch (PenstockException e) {
            if (!passing(e)) {
                joined.completeExceptionally(e);
                throw e;
            }
            again(this::attemptAgain, () -> failed("cannot join yet: ", e));
            return;
        } catch (RuntimeException | Error e) {
            PenstockException failure = UncaughtError.handOn(e);
            joined.completeExceptionally(failure);
            throw failure;
        }
        again(
                this::report,
                () -> {
                    try {
                        succeeded("has joined");
                    } finally {
                        joined.complete(null);
                    }
                });
    }

    private void attemptAgain() {
        try {
            attempt();
        } catch (PenstockException e) {
            log.accept("this server cannot join and stays idle: " + e.getMessage());
        }
    }

    private void report() {
        again(
                this::report,
                () -> {
                    try {
                        report.run();
                        succeeded("has reached the leader again");
                    } catch (PenstockException e) {
                        failed("cannot report to the leader: ", e);
                    } catch (RuntimeException | Error e) {
                        failed("cannot report to the leader: ", UncaughtError.handOn(e));
                    }
                });
    }

    /** Does something, and has the next thing done after a pause whatever comes of it. */
    private void again(Runnable next, Runnable now) {
        try {
            now.run();
        } finally {
            if (!scheduler.isShutdown()) {
                scheduler.schedule(next, pauseMillis, TimeUnit.MILLISECONDS);
                pauseMillis = Math.min(longestPauseMillis, 2 * pauseMillis);
            }
        }
    }

    private void succeeded(String what) {
        pauseMillis = longestPauseMillis;
        if (!lastFailure.isEmpty()) {
            log.accept("this server " + what);
            lastFailure = "";
        }
    }

    /** The same failure is logged once. */
    private void failed(String what, PenstockException e) {
        String failure = what + e.getMessage();
        if (lastFailure.isEmpty()) {
            pauseMillis = Math.min(longestPauseMillis, FIRST_PAUSE_MILLIS);
        }
        if (!failure.equals(lastFailure)) {
            log.accept("this server " + failure);
            lastFailure = failure;
        }
    }

    private static boolean passing(PenstockException e) {
        return e.category() == ErrorCategory.RETRY || e.category() == ErrorCategory.REROUTE;
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
        boolean interrupted = false;
        try {
            if (!scheduler.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                log.accept("this server is still talking to the leader while it stops");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        joined.cancel(false);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
