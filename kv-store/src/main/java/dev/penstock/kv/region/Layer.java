package dev.penstock.kv.region;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.SegmentFile;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An immutable layer of a region: open segments with disjoint key ranges, in key order. A layer has
 * at least one segment.
 */
public record Layer(LayerDescriptor descriptor, List<SegmentFile> segments) {
    public Layer {
        segments = List.copyOf(segments);
    }

    /** The segments that may hold keys of the range. */
    List<SegmentFile> overlapping(KeyRange range) {
        return segments.stream().filter(segment -> segment.overlaps(range)).toList();
    }

    /** The segment whose extent holds the key, or nothing. */
    Optional<SegmentFile> covering(byte[] key) {
        int low = 0;
        int high = segments.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Arrays.compareUnsigned(segments.get(middle).lastKey(), key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        SegmentFile segment = segments.get(low);
        boolean covers =
                Arrays.compareUnsigned(segment.firstKey(), key) <= 0
                        && Arrays.compareUnsigned(segment.lastKey(), key) >= 0;
        return covers ? Optional.of(segment) : Optional.empty();
    }
}
