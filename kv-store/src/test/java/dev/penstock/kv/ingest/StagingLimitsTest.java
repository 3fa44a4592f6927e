package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StagingLimitsTest {
    private static final long MEBIBYTE = 1 << 20;

    @Test
    void little_memory_is_shared_out_as_much_is() {
        StagingLimits little = StagingLimits.ofMemory(2 * MEBIBYTE);
        assertThat(little.keptBytes()).isEqualTo(MEBIBYTE);
        assertThat(little.earlyBytes()).isIn(MEBIBYTE / 4, StagingLimits.NEVER);
        StagingLimits much = StagingLimits.ofMemory(2048 * MEBIBYTE);
        assertThat(much.keptBytes()).isEqualTo(256 * MEBIBYTE);
        assertThat(much.earlyBytes()).isIn(MEBIBYTE, StagingLimits.NEVER);
    }
}
