package dev.penstock.segment;

/** Signatures; the layout follows. */
public final class SegmentFormat {
    /** Most rows of a block. */
    public static final int BLOCK_ROWS = 8192;

    /** Rows of each segment of a merge but the last. */
    public static final long MAX_SEGMENT_ROWS = 4L << 20;

    /** Longest byte string kept as a statistic. */
    public static final int MAX_BOUND_BYTES = 64;

    private SegmentFormat() {}
}
