package dev.penstock.segment;

import java.util.UUID;

/**
 * Which segment this is: 16 bytes that name a load or a layer, and a number within it. Part of the
 * header; the rest of a segment is a function of its rows alone.
 *
 * @param high upper half of the load or layer id
 * @param low lower half
 * @param chunkOrOrdinal the chunk of a fragment, or the number of a segment within its layer
 */
public record SegmentIdentity(long high, long low, int chunkOrOrdinal) {
    /** Of a chunk's fragments in a load. */
    public static SegmentIdentity ofChunk(UUID loadId, int chunkId) {
        return new SegmentIdentity(
                loadId.getMostSignificantBits(), loadId.getLeastSignificantBits(), chunkId);
    }

    public SegmentIdentity withOrdinal(int ordinal) {
        return new SegmentIdentity(high, low, ordinal);
    }
}
