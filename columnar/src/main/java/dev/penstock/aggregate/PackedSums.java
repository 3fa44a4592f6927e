package dev.penstock.aggregate;

import dev.penstock.dict.LongDictionary;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.PackedBlock;
import dev.penstock.segment.SegmentReader;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Sums of one segment's columns, taken of packed values where they lie: distances from a base,
 * quotients of multiples, or codes of a dictionary whose values are evenly spaced. Owned by one
 * thread.
 */
final class PackedSums {
    private final SegmentReader reader;
    private final BlockCursor cursor;
    private final PackedBlock packed = new PackedBlock();

    /** For each column with a dictionary of evenly spaced values the space; 0 else, -1 unknown. */
    private final long[] spaces;

    /** A value is {@code start + space * packed value}. */
    private long start;

    private long space;

    PackedSums(SegmentReader reader, BlockCursor cursor) {
        this.reader = reader;
        this.cursor = cursor;
        this.spaces = new long[reader.schema().columnCount()];
        Arrays.fill(spaces, -1);
    }

    /** Goes to a block; false if its values cannot be summed so. */
    boolean open(int column, int block, LongFold fold) {
        if (fold.floating()) {
            return false;
        }
        space = 1;
        start = 0;
        if (reader.dictionary(column) instanceof LongDictionary longs) {
            space = space(column, longs);
            if (space == 0) {
                return false;
            }
            start = longs.size() == 0 ? 0 : longs.value(0);
        }
        cursor.open(reader, column, block);
        if (!cursor.isPacked()) {
            return false;
        }
        cursor.packed(packed);
        start += packed.base();
        space *= packed.space();
        return packed.summable();
    }

    /**
     * Adds rows of the block to a group.
     *
     * @param selected the rows; null for all of the block
     * @param count how many of these are not NULL
     */
    void add(LongFold fold, int group, long @Nullable [] selected, int count) {
        long sum = selected == null ? packed.sum() : packed.sum(selected);
        fold.exact().addProduct(group, space, sum);
        fold.exact().addProduct(group, start, count);
    }

    private long space(int column, LongDictionary dictionary) {
        if (spaces[column] < 0) {
            spaces[column] = space(dictionary.values());
        }
        return spaces[column];
    }

    /** The distance of neighbours if the values are evenly spaced, else 0. */
    private static long space(long[] values) {
        if (values.length < 2) {
            return 1;
        }
        long space = values[1] - values[0];
        for (int i = 1; i < values.length; i++) {
            if (values[i] - values[i - 1] != space) {
                return 0;
            }
        }
        return Math.max(0, space);
    }
}
