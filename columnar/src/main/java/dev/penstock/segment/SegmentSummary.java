package dev.penstock.segment;

import dev.penstock.batch.ColumnSums;

import java.util.List;

/**
 * What was written into one segment.
 *
 * @param ordinal number of the segment in its merge
 * @param bytes size of the segment
 * @param firstKey encoded key of the first row
 * @param lastKey encoded key of the last row
 * @param sums of the rows as the blocks' bytes say, or none
 */
public record SegmentSummary(
        int ordinal,
        long rowCount,
        long bytes,
        byte[] firstKey,
        byte[] lastKey,
        List<ColumnStatistics> statistics,
        ColumnSums sums) {
    public SegmentSummary {
        statistics = List.copyOf(statistics);
    }

    /** The same with sums. */
    public SegmentSummary withSums(ColumnSums newSums) {
        return new SegmentSummary(ordinal, rowCount, bytes, firstKey, lastKey, statistics, newSums);
    }
}
