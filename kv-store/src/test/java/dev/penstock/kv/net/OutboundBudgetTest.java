package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** What a loader has on its way is bounded by itself, however much its servers grant. */
@Timeout(60)
class OutboundBudgetTest {
    private static final int LIMIT = 1 << 20;

    private final Acks acks = new Acks();

    /** A permit for each fragment that has been answered, or never will be. */
    private static final class Acks implements FragmentListener {
        final Semaphore acknowledged = new Semaphore(0);
        final Semaphore failed = new Semaphore(0);

        @Override
        public void acknowledged(FragmentAck ack) {
            acknowledged.release();
        }

        @Override
        public void failed(PenstockException failure) {
            failed.release();
        }
    }

    private static ConnectionPool pool(Endpoints server) {
        NetLimits limits = Endpoints.limits().withOutboundBytes(LIMIT);
        return new ConnectionPool(server.transport, limits, () -> "", ClientSecurity.PLAIN);
    }

    private void send(ConnectionPool pool, Endpoints server, int chunkId, int length) {
        RemoteRegionService.send(
                pool.connection(server.address),
                "load",
                new FragmentHeader(chunkId, 1, FragmentForm.SORTED, 1),
                FakeRegions.payload(chunkId, length),
                length,
                acks);
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING
                && thread.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        assertThat(thread.getState()).isEqualTo(Thread.State.WAITING);
    }

    @Test
    void whatAllServersGrantTogetherIsNotSentAtOnce() throws Exception {
        try (Endpoints slow = new Endpoints();
                Endpoints fast = new Endpoints();
                ConnectionPool pool = pool(slow)) {
            slow.regions.fragmentPermits.drainPermits();
            assertThat(pool.connection(fast.address).usable()).isTrue();
            send(pool, slow, 0, LIMIT / 2);
            send(pool, slow, 1, LIMIT / 2);
            Thread third = new Thread(() -> send(pool, fast, 2, 1));
            third.start();
            awaitWaiting(third);
            assertThat(pool.outboundBytes()).isEqualTo(LIMIT);
            slow.regions.fragmentPermits.release(2);
            third.join();
            acks.acknowledged.acquire(3);
            assertThat(pool.outboundBytes()).isZero();
        }
    }

    @Test
    void whatWasOnItsWayToAServerThatIsLostIsGivenBack() throws Exception {
        try (Endpoints fast = new Endpoints();
                ConnectionPool pool = pool(fast)) {
            try (Endpoints lost = new Endpoints()) {
                lost.regions.fragmentPermits.drainPermits();
                send(pool, lost, 0, LIMIT);
                pool.connection(lost.address).close();
                acks.failed.acquire();
            }
            send(pool, fast, 1, LIMIT);
            acks.acknowledged.acquire();
            assertThat(pool.outboundBytes()).isZero();
        }
    }

    @Test
    void anInterruptedSenderTakesNothing() throws Exception {
        try (Endpoints server = new Endpoints();
                ConnectionPool pool = pool(server)) {
            server.regions.fragmentPermits.drainPermits();
            send(pool, server, 0, LIMIT);
            Thread second =
                    Thread.ofPlatform()
                            .uncaughtExceptionHandler((thread, e) -> acks.failed.release())
                            .start(() -> send(pool, server, 1, LIMIT));
            awaitWaiting(second);
            second.interrupt();
            acks.failed.acquire();
            server.regions.fragmentPermits.release(2);
            acks.acknowledged.acquire();
            assertThat(pool.outboundBytes()).isZero();
            int all = Math.toIntExact(Endpoints.limits().creditBytes());
            send(pool, server, 2, all);
            acks.acknowledged.acquire();
        }
    }

    @Test
    void manySendersOfFragmentsSmallAndLargerThanAllGetThroughToServersThatTakeTurns()
            throws Exception {
        try (Endpoints one = new Endpoints();
                Endpoints two = new Endpoints();
                ConnectionPool pool = pool(one);
                ExecutorService threads = Executors.newFixedThreadPool(6)) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 6; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                done.add(
                        threads.submit(() -> {
                            for (int i = 0; i < 40; i++) {
                                int length = 1 + random.nextInt(i % 10 == 0 ? 3 * LIMIT : LIMIT);
                                send(pool, random.nextBoolean() ? one : two, i, length);
                            }
                        }));
            }
            for (Future<?> future : done) {
                future.get();
            }
            acks.acknowledged.acquire(240);
            assertThat(pool.outboundBytes()).isZero();
            assertThat(acks.failed.availablePermits()).isZero();
        }
    }
}
