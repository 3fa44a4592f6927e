package dev.penstock.loader.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;

/** How long a driver waits for what its threads do. */
@Timeout(60)
final class DriverThreadsTest {
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final DriverThreads threads = new DriverThreads();

    @Test
    void all_have_ended_when_it_has_waited() throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        FutureTask<Integer> one = new FutureTask<>(together::await);
        FutureTask<Integer> two = new FutureTask<>(together::await);
        threads.start("one", one);
        threads.start("two", two);
        together.await();
        threads.await(FOR_EVER);
        assertThat(one).isDone();
        assertThat(two).isDone();
    }

    /** As one that reads what a process says which cannot be killed. */
    @Test
    void after_a_failure_it_does_not_wait_for_one_that_never_ends() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        FutureTask<Boolean> stuck =
                new FutureTask<>(() -> {
                    never.await();
                    return true;
                });
        threads.start("stuck", stuck);
        threads.start("failing", threads::fail);
        threads.await(Duration.ZERO);
        assertThat(stuck).isNotDone();
        never.countDown();
        threads.await(FOR_EVER);
        assertThat(stuck).isDone();
    }

    @Test
    void after_a_failure_it_waits_a_while_for_those_that_end() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        FutureTask<Integer> ending = new FutureTask<>(together::await);
        threads.start("ending", ending);
        threads.fail();
        together.await();
        threads.await(FOR_EVER);
        assertThat(ending).isDone();
    }
}
