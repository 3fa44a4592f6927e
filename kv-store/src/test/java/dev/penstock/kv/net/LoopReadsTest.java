package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoopReadsTest {
    private final LoopReads reads = new LoopReads();

    @Test
    void theLoopReadsUntilOthersHaveWaitedLongEnough() {
        long quick = LoopReads.MAX_NANOS / 10;
        for (int i = 0; i < 10; i++) {
            assertThat(reads.next()).isTrue();
            reads.done(quick);
        }
        assertThat(reads.next()).isFalse();
        reads.rest();
        assertThat(reads.next()).isTrue();
    }

    @Test
    void afterASlowReadTheNextOnesAreDoneElsewhere() {
        long slow = 7_000_000;
        assertThat(reads.next()).isTrue();
        reads.done(slow);
        reads.rest();
        long elsewhere = 0;
        while (!reads.next()) {
            elsewhere++;
        }
        assertThat(elsewhere).isEqualTo(slow / LoopReads.SLOWEST_AVERAGE_NANOS);
        reads.done(1_000);
        assertThat(reads.next()).isTrue();
    }

    @Test
    void answersLeaveInTwos() {
        assertThat(reads.done(1)).isFalse();
        assertThat(reads.done(1)).isTrue();
        assertThat(reads.done(1)).isFalse();
        reads.rest();
        assertThat(reads.done(1)).isFalse();
        assertThat(reads.done(1)).isTrue();
    }
}
