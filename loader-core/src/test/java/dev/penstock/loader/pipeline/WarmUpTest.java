package dev.penstock.loader.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicLong;

@Timeout(60)
class WarmUpTest {
    private static final int PROCESSORS = 3;

    private final AtomicLong readBytes = new AtomicLong();
    private final WarmUp warmUp = new WarmUp(PROCESSORS, readBytes);

    @Test
    void oneProcessorIsLeftToTheCompiler() {
        warmUp.awaitTurn(0);
        warmUp.awaitTurn(1);

        assertThat(held(2)).isTrue();
    }

    @Test
    void thereIsAlwaysOneThread() {
        new WarmUp(1, readBytes).awaitTurn(0);
    }

    @Test
    void theOthersBeginWhenEnoughTextIsRead() throws InterruptedException {
        Thread third = waiting(2);

        warmUp.add(WarmUp.WARM_BYTES - 1);
        assertThat(third.isAlive()).isTrue();
        warmUp.add(1);

        third.join();
        assertThat(held(2)).isFalse();
    }

    @Test
    void theOthersBeginWhenAThreadHasEnded() throws InterruptedException {
        Thread third = waiting(2);

        warmUp.release();

        third.join();
    }

    @Test
    void aLaterLoadOfAWarmProcessBeginsWithAll() {
        warmUp.add(WarmUp.WARM_BYTES);

        new WarmUp(PROCESSORS, readBytes).awaitTurn(2);
    }

    @Test
    void nobodyIsHeldForLong() {
        long start = System.nanoTime();

        warmUp.awaitTurn(2);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(WarmUp.MAX_HELD_NANOS);
    }

    private Thread waiting(int number) throws InterruptedException {
        Thread thread = Thread.ofVirtual().start(() -> warmUp.awaitTurn(number));
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }

    /** Whether the thread waits. */
    private boolean held(int number) {
        Thread thread = Thread.ofVirtual().start(() -> warmUp.awaitTurn(number));
        while (true) {
            switch (thread.getState()) {
                case TIMED_WAITING -> {
                    return true;
                }
                case TERMINATED -> {
                    return false;
                }
                default -> Thread.onSpinWait();
            }
        }
    }
}
