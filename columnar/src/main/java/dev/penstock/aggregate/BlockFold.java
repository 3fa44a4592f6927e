package dev.penstock.aggregate;

import dev.penstock.dict.LongDictionary;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.PackedBlock;
import dev.penstock.segment.RowSelection;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentReader;

import org.jspecify.annotations.Nullable;

/**
 * Adds the selected rows of a block to a fold with a single group, looking at as little as will do:
 * statistics if they decide, packed values where they lie, and decoded ones else. Owned by one
 * thread.
 */
final class BlockFold {
    private final SegmentReader reader;
    private final BlockCursor cursor;
    private final RowSelection selection;
    private final ColumnValues values;
    private final PackedBlock packed = new PackedBlock();
    private final int[] rows = new int[SegmentFormat.BLOCK_ROWS];
    private final long[] bits = new long[SegmentFormat.BLOCK_ROWS / 64];

    /** For each column with a dictionary of evenly spaced values the space; else 0. */
    private final long[] spaces;

    BlockFold(
            SegmentReader reader, BlockCursor cursor, RowSelection selection, ColumnValues values) {
        this.reader = reader;
        this.cursor = cursor;
        this.selection = selection;
        this.values = values;
        this.spaces = new long[reader.schema().columnCount()];
        for (int column = 0; column < spaces.length; column++) {
            spaces[column] = -1;
        }
    }

    /** Adds the block at which the selection stands. */
    void add(int column, ColumnFold fold) {
        int block = selection.block();
        int nulls = reader.blockNullCount(column, block);
        if (fold.countsOnly()) {
            addNulls(column, block, nulls, fold);
            return;
        }
        boolean decided = fold instanceof LongFold longs && decide(column, block, longs);
        if (decided && !fold.summed()) {
            addNulls(column, block, nulls, fold);
        } else if (decided && addPacked(column, block, (LongFold) fold, nulls)) {
            return;
        } else {
            addDecoded(column, block, fold);
        }
    }

    private void addNulls(int column, int block, int nulls, ColumnFold fold) {
        if (nulls == 0) {
            return;
        }
        if (selection.wholeBlock()) {
            fold.addNulls(0, nulls);
            return;
        }
        cursor.open(reader, column, block);
        fold.addNulls(0, selection.selectedCount() - selectValid());
    }

    /** Selected rows that are not NULL, as bits; answers their number. */
    private int selectValid() {
        selection.bits(bits);
        int count = 0;
        int words = (cursor.rows() + 63) >> 6;
        boolean anyNull = cursor.nullCount() > 0;
        for (int i = 0; i < words; i++) {
            bits[i] &= anyNull ? cursor.validityWords()[i] : -1L;
            count += Long.bitCount(bits[i]);
        }
        return count;
    }

    /** Whether statistics decide on minimum and maximum, which are then seen to. */
    private boolean decide(int column, int block, LongFold fold) {
        if (!fold.lowest() && !fold.greatest()) {
            return true;
        }
        long min = reader.blockMin(column, block);
        long max = reader.blockMax(column, block);
        if (min > max) {
            return true;
        }
        if (!fold.ofCodes() && reader.dictionary(column) instanceof LongDictionary longs) {
            min = longs.value((int) min);
            max = longs.value((int) max);
        }
        if (selection.wholeBlock()) {
            fold.offer(0, min, max);
            return true;
        }
        return fold.within(0, min, max);
    }

    /** Adds the sum of a block of packed values; false if that is not possible. */
    private boolean addPacked(int column, int block, LongFold fold, int nulls) {
        if (fold.floating()) {
            return false;
        }
        long space = 1;
        long start = 0;
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
        if (!packed.summable()) {
            return false;
        }
        int count = selection.selectedCount();
        long sum;
        if (nulls == 0 && selection.wholeBlock()) {
            sum = packed.sum();
        } else {
            count = selectValid();
            sum = packed.sum(bits);
            fold.addNulls(0, selection.selectedCount() - count);
        }
        fold.exact().addProduct(0, space, sum);
        fold.exact().addProduct(0, start + packed.base(), count);
        return true;
    }

    /** The distance of neighbours if the dictionary's values are evenly spaced, else 0. */
    private long space(int column, LongDictionary dictionary) {
        if (spaces[column] < 0) {
            spaces[column] = space(dictionary.values());
        }
        return spaces[column];
    }

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

    private void addDecoded(int column, int block, ColumnFold fold) {
        int count = selection.selectedCount();
        int @Nullable [] chosen = selection.wholeBlock() ? null : rows;
        if (chosen != null) {
            selection.rows(chosen);
        }
        cursor.open(reader, column, block);
        long[] validity = cursor.nullCount() > 0 ? cursor.validityWords() : null;
        switch (fold) {
            case LongFold longs -> {
                long[] decoded =
                        longs.ofCodes()
                                ? values.codesAsLongs(cursor, chosen, count)
                                : values.longs(cursor, chosen, count);
                long bound = SegmentAggregator.bound(reader, column, block);
                longs.add(null, count, decoded, validity, chosen, bound);
            }
            case BytesFold strings ->
                    strings.add(null, count, values.strings(cursor), validity, chosen);
        }
    }
}
