package dev.penstock.loader.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says for a worker process that it is there, whatever its other threads are busy with, until it is
 * closed. Its thread is stopped with the process, which is what the driver is to notice.
 */
final class Heartbeat implements AutoCloseable {
    /** Waits for the next beat; false if there is to be none. */
    @FunctionalInterface
    interface Pause {
        boolean pass() throws InterruptedException;
    }

    private final CountDownLatch closed = new CountDownLatch(1);

    /** Begins to beat. */
    static Heartbeat start(Wire wire) {
        Heartbeat heartbeat = new Heartbeat();
        Thread.ofPlatform()
                .daemon()
                .name("penstock-heartbeat")
                .start(() -> beat(wire, heartbeat::pause));
        return heartbeat;
    }

    private boolean pause() throws InterruptedException {
        return !closed.await(Patience.INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    static void beat(Wire wire, Pause pause) {
        try {
            while (pause.pass()) {
                beat(wire);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Of memory that is used up for a moment the thread that needs much of it says more. */
    private static void beat(Wire wire) {
        try {
            wire.send(new Message.Alive());
        } catch (OutOfMemoryError e) {
            // The next beat may have some; without any the driver hears nothing, which is true.
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
