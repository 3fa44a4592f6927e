package dev.penstock.aggregate;

import dev.penstock.dict.LongDictionary;
import dev.penstock.segment.SegmentReader;

/**
 * The smallest and the greatest value of a block's column of longs, from the segment's statistics:
 * which are codes where there is a dictionary, in the order of the values. The smallest is greater
 * than the greatest if all are NULL.
 */
record BlockExtremes(long min, long max) {
    static BlockExtremes of(SegmentReader reader, int column, int block) {
        long min = reader.blockMin(column, block);
        long max = reader.blockMax(column, block);
        return min <= max && reader.dictionary(column) instanceof LongDictionary longs
                ? new BlockExtremes(longs.value((int) min), longs.value((int) max))
                : new BlockExtremes(min, max);
    }

    /** Whether there is no value. */
    boolean isEmpty() {
        return min > max;
    }
}
