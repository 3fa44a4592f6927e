package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Who waits for an answer when its connection is lost. */
@Timeout(60)
final class LostConnectionTest {
    private static final int FRAGMENTS = 20;

    /** Counts what it is told, and throws. */
    private static final class Throwing implements FragmentListener {
        final Semaphore told = new Semaphore(0);

        @Override
        public void acknowledged(FragmentAck ack) {
            throw new AssertionError("nothing is answered here");
        }

        @Override
        public void failed(PenstockException failure) {
            told.release();
            throw new IllegalStateException("a fault of this listener");
        }
    }

    @Test
    void all_are_told_although_listeners_throw() throws Exception {
        Throwing listener = new Throwing();
        try (Endpoints server = new Endpoints()) {
            server.regions.fragmentPermits.drainPermits();
            ClientConnection connection = server.pool.connection(server.address);
            for (int chunk = 0; chunk < FRAGMENTS; chunk++) {
                RemoteRegionService.send(
                        connection,
                        "load",
                        new FragmentHeader(chunk, 1, FragmentForm.SORTED, 1),
                        FakeRegions.payload(chunk, 10),
                        10,
                        listener);
            }
            connection.close();
            assertThat(listener.told.tryAcquire(FRAGMENTS, 20, TimeUnit.SECONDS))
                    .as("told but %d", listener.told.availablePermits())
                    .isTrue();
            assertThat(listener.told.availablePermits()).as("told twice").isZero();
        }
    }
}
