package dev.penstock.step;

import dev.penstock.segment.SegmentFormat;

/**
 * Bounds and options of a {@link Merge}.
 *
 * @param unitRows most rows held in memory at a time, about
 * @param unitBytes heap that a unit may take for its rows of one column and the encoded blocks of
 *     all, about
 * @param segmentRows rows of each segment but the last
 * @param dropDeletedColumn index (in the runs) of a BOOLEAN column; rows where it is true are
 *     dropped after duplicates are resolved. -1: none. May be the column after the last one of the
 *     merge's schema: then it is read and not written
 * @param compress whether the segments are to stay: byte strings that are neither codes nor tokens
 *     are LZ4-compressed where it pays, and token tables are written into the segments
 * @param sums whether to sum up the rows that are written, and those that are left out
 */
public record MergeLimits(
        int unitRows,
        long unitBytes,
        long segmentRows,
        int dropDeletedColumn,
        boolean compress,
        boolean sums) {
    private static final long MAX_UNIT_BYTES = 256L << 20;

    /** Merges run side by side, beside all else that a process does. */
    private static final int UNIT_SHARE = 8;

    /** Units of at most an eighth of this process's heap. */
    public static final MergeLimits DEFAULT = ofHeap(Runtime.getRuntime().maxMemory());

    public MergeLimits {
        if (unitRows < 1 || unitBytes < 1 || segmentRows < 1) {
            throw new IllegalArgumentException("merge limits must be positive");
        }
    }

    /** Whole segments of merges in a heap of so many bytes. */
    public static MergeLimits ofHeap(long heapBytes) {
        return new MergeLimits(
                1 << 20,
                Math.min(MAX_UNIT_BYTES, heapBytes / UNIT_SHARE),
                SegmentFormat.MAX_SEGMENT_ROWS,
                -1,
                true,
                false);
    }

    public MergeLimits withDropDeletedColumn(int column) {
        return new MergeLimits(unitRows, unitBytes, segmentRows, column, compress, sums);
    }

    public MergeLimits withUnitRows(int rows) {
        return new MergeLimits(rows, unitBytes, segmentRows, dropDeletedColumn, compress, sums);
    }

    public MergeLimits withSegmentRows(long rows) {
        return new MergeLimits(unitRows, unitBytes, rows, dropDeletedColumn, compress, sums);
    }

    public MergeLimits withCompress(boolean value) {
        return new MergeLimits(unitRows, unitBytes, segmentRows, dropDeletedColumn, value, sums);
    }

    public MergeLimits withSums(boolean value) {
        return new MergeLimits(
                unitRows, unitBytes, segmentRows, dropDeletedColumn, compress, value);
    }
}
