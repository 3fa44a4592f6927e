package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.FutureTask;

final class CpuClockTest {
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
}
