package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(60)
class SpareThreadTest {
    private final Semaphore permits = new Semaphore(1);
    private final ExecutorService executor = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    @Test
    void twoThreadsWorkAtTheSameTimeIfOneIsFree() {
        CyclicBarrier both = new CyclicBarrier(2);
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        new SpareThread(permits, executor)
                .run(() -> {
                    seen.add(Thread.currentThread());
                    await(both);
                });
        assertThat(seen).hasSize(2).contains(Thread.currentThread());
        assertThat(permits.availablePermits()).isEqualTo(1);
    }

    @Test
    void theCallerWorksAloneIfNoneIsFree() {
        assertThat(permits.tryAcquire()).isTrue();
        AtomicInteger runs = new AtomicInteger();
        new SpareThread(permits, executor).run(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        assertThat(permits.availablePermits()).isZero();
    }

    @Test
    void theCallerWorksAloneIfAMergeWaits() throws InterruptedException {
        Thread waiting = Thread.ofPlatform().start(() -> permits.acquireUninterruptibly(2));
        while (!permits.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        AtomicInteger runs = new AtomicInteger();
        new SpareThread(permits, executor).run(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        permits.release();
        waiting.join();
    }

    @Test
    void theCallerWorksAloneIfTheServerIsBeingClosed() {
        executor.shutdown();
        AtomicInteger runs = new AtomicInteger();
        new SpareThread(permits, executor).run(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        assertThat(permits.availablePermits()).isEqualTo(1);
    }

    @Test
    void aThreadThatComesTooLateDoesNothing() {
        Queue<Runnable> late = new ConcurrentLinkedQueue<>();
        AtomicInteger runs = new AtomicInteger();
        new SpareThread(permits, late::add).run(runs::incrementAndGet);
        assertThat(permits.availablePermits()).isEqualTo(1);
        late.remove().run();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aFailureOfEitherThreadIsThrownWhenBothHaveEnded() {
        for (boolean callerFails : new boolean[] {true, false}) {
            CyclicBarrier both = new CyclicBarrier(2);
            Thread caller = Thread.currentThread();
            AtomicInteger ended = new AtomicInteger();
            Runnable work =
                    () -> {
                        await(both);
                        ended.incrementAndGet();
                        if (callerFails == caller.equals(Thread.currentThread())) {
                            throw new IllegalArgumentException("no");
                        }
                    };
            assertThatThrownBy(() -> new SpareThread(permits, executor).run(work))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no");
            assertThat(ended).hasValue(2);
            assertThat(permits.availablePermits()).isEqualTo(1);
        }
    }

    @Test
    void errorsOfTheOtherThreadAreThrownToo() {
        CyclicBarrier both = new CyclicBarrier(2);
        Thread caller = Thread.currentThread();
        Runnable work =
                () -> {
                    await(both);
                    if (!caller.equals(Thread.currentThread())) {
                        throw new OutOfMemoryError("none left");
                    }
                };
        assertThatThrownBy(() -> new SpareThread(permits, executor).run(work))
                .isInstanceOf(OutOfMemoryError.class);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }
}
