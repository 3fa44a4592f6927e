package dev.penstock.aggregate;

import dev.penstock.segment.BlockCursor;
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
    private final PackedSums sums;
    private final int[] rows = new int[SegmentFormat.BLOCK_ROWS];
    private final long[] bits = new long[SegmentFormat.BLOCK_ROWS / 64];

    BlockFold(
            SegmentReader reader, BlockCursor cursor, RowSelection selection, ColumnValues values) {
        this.reader = reader;
        this.cursor = cursor;
        this.selection = selection;
        this.values = values;
        this.sums = new PackedSums(reader, cursor);
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
        BlockExtremes extremes = BlockExtremes.of(reader, column, block);
        if (extremes.isEmpty()) {
            return true;
        }
        if (selection.wholeBlock()) {
            fold.offer(0, extremes.min(), extremes.max());
            return true;
        }
        return fold.within(0, extremes.min(), extremes.max());
    }

    /** Adds the sum of a block of packed values; false if that is not possible. */
    private boolean addPacked(int column, int block, LongFold fold, int nulls) {
        if (!sums.open(column, block, fold)) {
            return false;
        }
        int selected = selection.selectedCount();
        if (selection.wholeBlock()) {
            sums.add(fold, 0, null, selected - nulls);
            fold.addNulls(0, nulls);
        } else {
            int count = selectValid();
            sums.add(fold, 0, bits, count);
            fold.addNulls(0, selected - count);
        }
        return true;
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
