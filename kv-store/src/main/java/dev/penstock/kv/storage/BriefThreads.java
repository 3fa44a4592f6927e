package dev.penstock.kv.storage;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that are daemons, and end when they have had nothing to do for a second at most. */
public final class BriefThreads {
    private static final long IDLE_SECONDS = 1;

    private BriefThreads() {}

    /** Runs a task of a process's own in a thread that ends with it. */
    public static void run(String name, Runnable task) {
        Thread.ofPlatform().name(name).daemon().start(task);
    }

    /**
     * An executor with any number of tasks that wait.
     *
     * @param name of each thread: numbers would have Java make classes for counting them
     * @param count threads, at most
     */
    public static ThreadPoolExecutor of(String name, int count) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(
                        count,
                        count,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().name(name).daemon().factory());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
