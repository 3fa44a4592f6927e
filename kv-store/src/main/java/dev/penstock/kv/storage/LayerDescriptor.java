package dev.penstock.kv.storage;

import dev.penstock.segment.SegmentIdentity;

import java.util.List;

/**
 * A layer of a region as its manifest names it: segments with disjoint key ranges, in key order.
 *
 * @param sequence number of the layer, unique in the region, never used again
 * @param epoch readers at this epoch and later see the layer; 0 = everybody does
 * @param installedMillis when it became part of the region, milliseconds since 1970
 * @param merged whether compaction made it out of others; then no reader of an epoch before {@code
 *     epoch} can be served any more
 * @param tombstones whether the segments have the hidden column that marks deleted keys
 * @param identity what the segments' headers say, but for the ordinal
 */
public record LayerDescriptor(
        long sequence,
        long epoch,
        long installedMillis,
        boolean merged,
        boolean tombstones,
        SegmentIdentity identity,
        List<SegmentDescriptor> segments) {
    public LayerDescriptor {
        segments = List.copyOf(segments);
    }

    public long rowCount() {
        return segments.stream().mapToLong(SegmentDescriptor::rowCount).sum();
    }

    public long bytes() {
        return segments.stream().mapToLong(SegmentDescriptor::bytes).sum();
    }
}
