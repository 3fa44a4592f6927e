package dev.penstock.bench.contender;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;

/**
 * What has to be done if this JVM is told to end before its work is over, as by Ctrl-C: processes
 * are stopped and folders removed, the latest first, by one thread. Who wants to begin or to go on
 * with something meanwhile waits for the end.
 */
public final class AtExit {
    private static final AtExit JVM = new AtExit();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(JVM::end, "at-exit"));
    }

    private final Deque<Task> tasks = new ArrayDeque<>();
    private final CountDownLatch never = new CountDownLatch(1);

    /** The thread that does it, once this JVM ends. */
    private volatile @Nullable Thread ender;

    AtExit() {}

    /** Something to do, unless it is closed before. */
    public final class Task implements AutoCloseable {
        private final Runnable action;

        private Task(Runnable action) {
            this.action = action;
        }

        @Override
        public void close() {
            synchronized (tasks) {
                tasks.remove(this);
            }
        }
    }

    /** Does it if this JVM is told to end. */
    public static Task run(Runnable action) {
        return JVM.add(action);
    }

    /** Does not return when this JVM ends. */
    static void goOn() {
        JVM.waitIfEnding();
    }

    Task add(Runnable action) {
        waitIfEnding();
        Task task = new Task(action);
        synchronized (tasks) {
            tasks.push(task);
        }
        return task;
    }

    private void waitIfEnding() {
        Thread end = ender;
        if (end == null || end.equals(Thread.currentThread())) {
            return;
        }
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does all in the calling thread. */
    void end() {
        ender = Thread.currentThread();
        for (Task task = latest(); task != null; task = latest()) {
            task.action.run();
        }
    }

    private @Nullable Task latest() {
        synchronized (tasks) {
            return tasks.poll();
        }
    }
}
