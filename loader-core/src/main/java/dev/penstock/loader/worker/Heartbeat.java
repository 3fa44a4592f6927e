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
                wire.send(new Message.Alive());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
