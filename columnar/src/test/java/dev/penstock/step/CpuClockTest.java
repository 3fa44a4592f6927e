package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

final class CpuClockTest {
    private static final long WAIT_NANOS = 20_000_000;
    private static final long FORGOTTEN_NANOS = 10_000_000;

    @Test
    void a_virtual_thread_is_not_measured() throws Exception {
        FutureTask<Long> time =
                new FutureTask<>(() -> {
                    CpuClock clock = new CpuClock();
                    clock.lap(StepName.MERGE);
                    return clock.times().totalNanos();
                });
        Thread.ofVirtual().start(time);
        assertThat(time.get()).isZero();
    }

    @Test
    void what_passes_goes_to_the_step_that_ends() {
        CpuClock clock = new CpuClock();
        while (clock.times().nanos(StepName.SORT) == 0) {
            clock.lap(StepName.SORT);
        }
        assertThat(clock.times().totalNanos()).isEqualTo(clock.times().nanos(StepName.SORT));
    }

    @Test
    void waiting_takes_no_time() {
        long before = CpuClock.now();
        CpuClock clock = new CpuClock();
        clock.lap(StepName.SORT);
        long start = System.nanoTime();
        while (System.nanoTime() - start < WAIT_NANOS) {
            LockSupport.parkNanos(WAIT_NANOS);
        }
        clock.lap(StepName.TRANSFER);
        assertThat(clock.times().totalNanos())
                .isPositive()
                .isLessThanOrEqualTo(CpuClock.now() - before)
                .isLessThan(WAIT_NANOS);
    }

    @Test
    void what_is_forgotten_goes_to_no_step() {
        CpuClock clock = new CpuClock();
        clock.lap(StepName.SORT);
        long before = CpuClock.now();
        runFor(FORGOTTEN_NANOS);
        clock.restart();
        clock.lap(StepName.MERGE);
        assertThat(clock.times().nanos(StepName.MERGE)).isLessThan(CpuClock.now() - before);
        assertThat(clock.times().totalNanos()).isLessThan(FORGOTTEN_NANOS);
    }

    @Test
    void many_short_laps_take_no_more_than_the_thread_has_run() {
        long before = CpuClock.now();
        CpuClock clock = new CpuClock();
        for (int i = 0; i < 10_000; i++) {
            clock.lap(StepName.MERGE);
            clock.lap(StepName.VERIFY);
        }
        StepTimes times = clock.times();
        assertThat(times.nanos(StepName.MERGE)).isPositive();
        assertThat(times.nanos(StepName.VERIFY)).isPositive();
        assertThat(times.totalNanos()).isLessThanOrEqualTo(CpuClock.now() - before + 1_000);
    }

    private static void runFor(long cpuNanos) {
        long end = CpuClock.now() + cpuNanos;
        while (CpuClock.now() < end) {
            Thread.onSpinWait();
        }
    }
}
