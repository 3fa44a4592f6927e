package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whom a statement that is stopped interrupts: its own thread, while it waits for a server. */
final class ServerWaitsTest {
    private final ServerWaits waits = new ServerWaits(true);

    @Test
    void who_waits_is_interrupted_until_it_leaves() {
        assertThat(waits.enter()).isTrue();
        waits.end();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        waits.leave();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(waits.wereEnded()).isTrue();
    }

    @Test
    void who_comes_after_the_stop_is_interrupted_too_and_not_in_the_next_run() {
        waits.end();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(waits.enter()).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        waits.leave();
        waits.begin();
        assertThat(waits.enter()).isTrue();
        assertThat(Thread.interrupted()).isFalse();
        waits.leave();
        assertThat(waits.wereEnded()).isFalse();
    }

    @Test
    void a_change_is_not_interrupted_but_what_comes_after_it() {
        assertThat(waits.enter()).isTrue();
        ServerWaits.uninterrupted(() -> {
            waits.end();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        ServerWaits.uninterrupted(
                () -> assertThat(Thread.currentThread().isInterrupted()).isFalse());
        waits.leave();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void an_interruption_by_others_stays() {
        assertThat(waits.enter()).isTrue();
        Thread.currentThread().interrupt();
        waits.leave();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void nobody_is_interrupted_where_the_store_is_in_this_process() {
        ServerWaits local = new ServerWaits(false);
        assertThat(local.enter()).isFalse();
        local.end();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(local.wereEnded()).isFalse();
    }
}
