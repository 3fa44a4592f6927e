package dev.penstock.kv.net;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The threads that execute requests; event loops do nothing of them but quick reads of single rows.
 * Bounded in threads and in waiting.
 */
final class Lanes implements AutoCloseable {
    /**
     * Most requests that wait in one lane; more are refused as RETRY. Fragments are bounded by
     * credit.
     */
    static final int MAX_WAITING = 8192;

    private static final long CLOSE_SECONDS = 10;

    private final Consumer<String> log;
    private final Map<Lane, ThreadPoolExecutor> executors = new EnumMap<>(Lane.class);

    Lanes(String name, Consumer<String> log) {
        this.log = log;
        int processors = Runtime.getRuntime().availableProcessors();
        for (Lane lane : Lane.values()) {
            int threads = lane.threads(processors);
            ThreadPoolExecutor executor =
                    new ThreadPoolExecutor(
                            threads,
                            threads,
                            30,
                            TimeUnit.SECONDS,
                            new LinkedBlockingQueue<>(MAX_WAITING),
                            Thread.ofPlatform()
                                    .name(
                                            name + "-" + lane.name().toLowerCase(Locale.ROOT) + "-",
                                            0)
                                    .daemon()
                                    .factory());
            executor.allowCoreThreadTimeOut(true);
            executors.put(lane, executor);
        }
    }

    /**
     * @throws java.util.concurrent.RejectedExecutionException if too many wait already
     */
    void execute(Lane lane, Runnable task) {
        executorOf(lane).execute(task);
    }

    private ThreadPoolExecutor executorOf(Lane lane) {
        ThreadPoolExecutor executor = executors.get(lane);
        if (executor == null) {
            throw new IllegalStateException("no threads for " + lane);
        }
        return executor;
    }

    /**
     * Lets running requests end, for a while; those that wait are dropped. Nothing is interrupted:
     * that would close files under their owners.
     */
    @Override
    public void close() {
        boolean finished = true;
        for (ThreadPoolExecutor executor : executors.values()) {
            executor.getQueue().clear();
            executor.shutdown();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        boolean interrupted = false;
        for (ThreadPoolExecutor executor : executors.values()) {
            try {
                finished &=
                        executor.awaitTermination(
                                Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!finished) {
            log.accept("stopped while requests were still running; they are not acknowledged");
        }
    }
}
