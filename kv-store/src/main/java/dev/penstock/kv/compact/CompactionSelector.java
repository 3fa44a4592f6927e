package dev.penstock.kv.compact;

import dev.penstock.kv.storage.LayerDescriptor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses neighbouring layers to merge: none while there are at most {@link #MAX_LAYERS}; else,
 * among layers that every permitted reader sees, the longest group from its newest on whose next
 * older layer is at most {@link #SIZE_RATIO} times as large as the group. So small layers are
 * merged often and large ones seldom (size-tiered). Pure.
 */
final class CompactionSelector {
    static final int MAX_LAYERS = 4;
    static final int SIZE_RATIO = 4;

    private CompactionSelector() {}

    /**
     * Layers to merge, newest first, or none.
     *
     * @param layers all of the region, newest first
     * @param retention loads that became visible less than so long ago are left alone, because
     *     readers may still be at the epoch before
     */
    static List<LayerDescriptor> select(
            List<LayerDescriptor> layers, Instant now, Duration retention) {
        if (layers.size() <= MAX_LAYERS) {
            return List.of();
        }
        long limit = now.minus(retention).toEpochMilli();
        List<LayerDescriptor> best = List.of();
        for (int start = 0; start < layers.size(); start++) {
            List<LayerDescriptor> group = group(layers, start, limit);
            if (group.size() > best.size()) {
                best = group;
            }
        }
        if (best.size() < 2) {
            best = newestPair(layers, limit);
        }
        return best;
    }

    private static List<LayerDescriptor> group(
            List<LayerDescriptor> layers, int start, long limit) {
        List<LayerDescriptor> group = new ArrayList<>();
        long bytes = 0;
        for (int i = start; i < layers.size(); i++) {
            LayerDescriptor layer = layers.get(i);
            boolean fits = group.isEmpty() || layer.bytes() <= SIZE_RATIO * bytes;
            if (!isOld(layer, limit) || !fits) {
                break;
            }
            group.add(layer);
            bytes += layer.bytes();
        }
        return group;
    }

    private static List<LayerDescriptor> newestPair(List<LayerDescriptor> layers, long limit) {
        for (int i = 0; i + 1 < layers.size(); i++) {
            if (isOld(layers.get(i), limit) && isOld(layers.get(i + 1), limit)) {
                return layers.subList(i, i + 2);
            }
        }
        return List.of();
    }

    private static boolean isOld(LayerDescriptor layer, long limit) {
        return layer.epoch() == 0 || layer.installedMillis() <= limit;
    }
}
