package dev.penstock.kv.storage;

import dev.penstock.segment.SegmentIdentity;
import dev.penstock.target.RegionReceipt;

import java.util.List;

/**
 * One region's part of a load, merged and durable, not yet published.
 *
 * @param comparesStored whether its policy makes its rows depend on what is stored
 * @param segments final segments in key order, none if no row came
 */
public record PreparedLoad(
        String loadId,
        SegmentIdentity identity,
        boolean comparesStored,
        List<SegmentDescriptor> segments,
        RegionReceipt receipt) {
    public PreparedLoad {
        segments = List.copyOf(segments);
    }

    PreparedLoad withoutRejects() {
        return new PreparedLoad(
                loadId, identity, comparesStored, segments, receipt.withoutRejects());
    }

    /** Of its load; lower if that began earlier. */
    long ordinal() {
        return ~identity.low();
    }

    /**
     * The name of the segments of a load in a region: a function of what was done to the store, so
     * that the same loads write the same bytes.
     */
    public static SegmentIdentity identity(long regionId, long ordinal) {
        // Negative, so that it never meets a flush's or a compaction's sequence.
        return new SegmentIdentity(regionId, ~ordinal, 0);
    }
}
