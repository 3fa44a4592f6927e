package dev.penstock.segment;

import java.util.List;

/**
 * What was written into one segment.
 *
 * @param ordinal number of the segment in its merge
 * @param bytes size of the segment
 * @param firstKey encoded key of the first row
 * @param lastKey encoded key of the last row
 */
public record SegmentSummary(
        int ordinal,
        long rowCount,
        long bytes,
        byte[] firstKey,
        byte[] lastKey,
        List<ColumnStatistics> statistics) {
    public SegmentSummary {
        statistics = List.copyOf(statistics);
    }
}
