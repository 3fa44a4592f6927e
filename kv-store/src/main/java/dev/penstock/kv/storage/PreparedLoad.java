package dev.penstock.kv.storage;

import dev.penstock.segment.SegmentIdentity;
import dev.penstock.target.RegionReceipt;

import java.util.List;

/**
 * One region's part of a load, merged and durable, not yet published.
 *
 * @param segments final segments in key order, none if no row came
 */
public record PreparedLoad(
        String loadId,
        SegmentIdentity identity,
        List<SegmentDescriptor> segments,
        RegionReceipt receipt) {
    public PreparedLoad {
        segments = List.copyOf(segments);
    }
}
