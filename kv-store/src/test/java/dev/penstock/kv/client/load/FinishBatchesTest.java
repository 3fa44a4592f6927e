package dev.penstock.kv.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.client.load.FinishBatches.Batch;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

class FinishBatchesTest {
    private static List<RegionAssignment> regions(int count, int servers) {
        List<RegionAssignment> regions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ServerDescriptor server =
                    new ServerDescriptor("s" + i % servers, "host:" + i % servers);
            regions.add(new RegionAssignment(i, 1, KeyRange.ALL, server));
        }
        return regions;
    }

    private static List<Integer> sizes(List<Batch> batches) {
        return batches.stream().map(batch -> batch.regionIds().size()).toList();
    }

    @Test
    void fewRegionsAreFinishedOneByOneInOrder() {
        List<Batch> batches = FinishBatches.of(regions(8, 1), 3, 16);
        assertThat(sizes(batches)).containsOnly(1);
        assertThat(batches.stream().flatMap(batch -> batch.regionIds().stream()).toList())
                .isEqualTo(LongStream.range(0, 8).boxed().toList());
    }

    @Test
    void manyRegionsTakeFewCallsAndTheLastCallsAreSmall() {
        List<Batch> batches = FinishBatches.of(regions(256, 1), 3, 16);
        assertThat(batches.stream().flatMap(batch -> batch.regionIds().stream()).toList())
                .isEqualTo(LongStream.range(0, 256).boxed().toList());
        assertThat(sizes(batches).getFirst()).isEqualTo(16);
        assertThat(sizes(batches).getLast()).isEqualTo(1);
        assertThat(batches).hasSizeLessThan(50);
    }

    @Test
    void everyServerIsAskedFromTheStartAndOnlyForItsOwn() {
        List<Batch> batches = FinishBatches.of(regions(90, 3), 9, 16);
        assertThat(batches.subList(0, 3).stream().map(batch -> batch.server().serverId()))
                .containsExactly("s0", "s1", "s2");
        for (Batch batch : batches) {
            assertThat(batch.regionIds())
                    .allSatisfy(
                            id -> assertThat("s" + id % 3).isEqualTo(batch.server().serverId()));
        }
        assertThat(batches.stream().flatMap(batch -> batch.regionIds().stream()))
                .hasSize(90)
                .doesNotHaveDuplicates();
    }

    @Test
    void aBoundOfOneMeansACallForEachRegion() {
        assertThat(FinishBatches.of(regions(100, 2), 4, 1)).hasSize(100);
    }
}
