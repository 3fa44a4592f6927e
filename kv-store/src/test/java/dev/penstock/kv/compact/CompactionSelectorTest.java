package dev.penstock.kv.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.segment.SegmentIdentity;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class CompactionSelectorTest {
    private static final Instant NOW = Instant.ofEpochSecond(1000);
    private static final Duration RETENTION = Duration.ofSeconds(60);

    /** Layers newest first with these sizes; a negative size is a load published just now. */
    private static List<LayerDescriptor> layers(long... sizes) {
        List<LayerDescriptor> layers = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            long age = sizes[i] < 0 ? 1 : 100;
            layers.add(
                    new LayerDescriptor(
                            100 - i,
                            sizes.length - i,
                            NOW.minusSeconds(age).toEpochMilli(),
                            false,
                            false,
                            new SegmentIdentity(0, 0, 0),
                            List.of(new SegmentDescriptor("s" + i, Math.abs(sizes[i]), 1))));
        }
        return layers;
    }

    private static List<Integer> selected(long... sizes) {
        List<LayerDescriptor> layers = layers(sizes);
        return CompactionSelector.select(layers, NOW, RETENTION).stream()
                .map(layers::indexOf)
                .toList();
    }

    @Test
    void fewLayersAreLeftAlone() {
        assertThat(selected(1, 1, 1, 1)).isEmpty();
    }

    @Test
    void layersOfLikeSizeAreMergedTogether() {
        assertThat(selected(5, 5, 5, 5, 5)).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void aLargeOldLayerIsNotRewrittenForSmallOnes() {
        assertThat(selected(5, 5, 5, 5, 1000)).containsExactly(0, 1, 2, 3);
    }

    @Test
    void youngLoadsSplitWhatCanBeMerged() {
        assertThat(selected(5, 5, -5, 5, 5, 5)).containsExactly(3, 4, 5);
        assertThat(selected(-5, -5, -5, -5, -5)).isEmpty();
    }

    @Test
    void ifSizesGrowSteeplyTheNewestPairIsMerged() {
        assertThat(selected(1, 10, 100, 1000, 10_000)).containsExactly(0, 1);
    }
}
