package dev.penstock.kv.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.region.Region;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Rounds that nobody expects to fail. */
@Timeout(60)
class CompactionLoopTest {
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

    /** Fails in the first rounds, one with each, and returns when another has come. */
    private void survives(List<Supplier<Throwable>> failures) throws InterruptedException {
        Iterator<Supplier<Throwable>> next = failures.iterator();
        CountDownLatch wentOn = new CountDownLatch(2);
        Supplier<List<Region>> regions =
                () -> {
                    if (next.hasNext()) {
                        switch (next.next().get()) {
                            case RuntimeException e -> throw e;
                            case Error e -> throw e;
                            case Throwable e -> throw new IllegalStateException(e);
                        }
                    }
                    wentOn.countDown();
                    return List.of();
                };
        Compactor compactor = new Compactor(Duration.ZERO);
        Consumer<String> lines = log::add;
        try (CompactionLoop loop =
                new CompactionLoop(compactor, regions, Duration.ofMillis(1), lines)) {
            assertThat(loop).isNotNull();
            wentOn.await();
        }
    }

    @Test
    void itGoesOnAfterWhatNobodyExpects() throws InterruptedException {
        survives(
                List.of(
                        () -> new IllegalStateException("one"),
                        () -> new IllegalStateException("one"),
                        () -> new InternalError("a fault occurred in an unsafe memory access")));
        assertThat(log).hasSize(2);
        assertThat(log.peek()).contains("no region can be compacted now", "one");
    }

    @Test
    void whoEndsTheProcessHearsOfTheEndOfMemory() throws InterruptedException {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
        OutOfMemoryError memory = new OutOfMemoryError("Java heap space");
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> told.add(failure));
        try {
            survives(List.of(() -> memory));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertThat(told).containsExactly(memory);
    }
}
