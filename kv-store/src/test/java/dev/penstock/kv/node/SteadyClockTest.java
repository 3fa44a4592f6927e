package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

class SteadyClockTest {
    @Test
    void itCountsWhatHasPassedAlsoWhereTheCountWrapsAround() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        Instant noon = Instant.parse("2026-03-29T12:00:00Z");
        SteadyClock clock = SteadyClock.from(noon, nanos::get);
        assertThat(clock.instant()).isEqualTo(noon);
        nanos.addAndGet(61_000_000_007L);
        assertThat(clock.instant()).isEqualTo(noon.plusSeconds(61).plusNanos(7));
        assertThat(clock.millis()).isEqualTo(noon.toEpochMilli() + 61_000);
    }

    @Test
    void aServerMeasuresByIt() {
        assertThat(NodeOptions.defaults().clock()).isInstanceOf(SteadyClock.class);
    }
}
