package dev.penstock.loader.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SavedPlanTest {
    @Test
    void aPlanOfAnEarlierVersionIsReadAndHasNoDigest() {
        SavedPlan plan = SavedPlan.parse("{\"begunMillis\":5,\"sources\":[],\"chunkBytes\":7}");
        assertThat(plan.inputDigest()).isEmpty();
        assertThat(plan.chunkBytes()).isEqualTo(7);
    }
}
