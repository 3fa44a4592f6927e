package dev.penstock.kv.ingest;

import dev.penstock.dict.LongDictionary;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentReader;

import java.util.BitSet;

/**
 * Columns of numbers that are smaller packed than with a dictionary in fragments of few rows, each
 * of which has a dictionary of its own: dates of a few years, say. Found by looking at what has
 * been encoded with dictionaries, now and then. Owned by one thread.
 */
final class SliceForms {
    /** A chunk in so many is encoded with dictionaries and looked at. */
    private static final int CHUNKS_BETWEEN = 64;

    /** Fewer say nothing. */
    private static final int LEAST_ROWS = 64;

    private final TableSchema schema;
    private final BitSet packed = new BitSet();
    private int untilLook;
    private boolean looking;
    private long rowsSeen;

    SliceForms(TableSchema schema) {
        this.schema = schema;
    }

    /** Another chunk will be encoded. */
    void nextChunk() {
        looking = untilLook == 0;
        untilLook = looking ? CHUNKS_BETWEEN - 1 : untilLook - 1;
        rowsSeen = 0;
    }

    /** The columns that will not have a dictionary, and those that are better without. */
    BitSet without(BitSet plainColumns) {
        BitSet all = (BitSet) plainColumns.clone();
        if (!looking) {
            all.or(packed);
        }
        return all;
    }

    /** Whether to {@link #look} at a fragment of the chunk: one with more rows than others. */
    boolean isToLook(int rows) {
        return looking && rows >= LEAST_ROWS && rows > rowsSeen;
    }

    /** Looks at a fragment that was encoded. */
    void look(SegmentReader fragment) {
        rowsSeen = fragment.rowCount();
        for (int column = 0; column < schema.columnCount(); column++) {
            if (fragment.dictionary(column) instanceof LongDictionary dictionary
                    && dictionary.size() > 0) {
                int width = schema.column(column).type().plainBytes();
                packed.set(column, isSmallerPacked(rowsSeen, dictionary, width));
            }
        }
    }

    private static boolean isSmallerPacked(long rows, LongDictionary dictionary, int width) {
        int last = dictionary.size() - 1;
        long range = dictionary.values()[last] - dictionary.values()[0];
        long dictionaryBits = (long) dictionary.size() * width * Byte.SIZE;
        return rows * bits(range) < rows * bits(last) + dictionaryBits;
    }

    private static int bits(long highest) {
        return Long.SIZE - Long.numberOfLeadingZeros(highest);
    }
}
