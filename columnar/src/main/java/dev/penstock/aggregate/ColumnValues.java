package dev.penstock.aggregate;

import dev.penstock.batch.BytesColumn;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.SegmentFormat;

import org.jspecify.annotations.Nullable;

/**
 * Scratch for the values of one block's column: of all rows, or of the selected ones side by side.
 * Each array is valid until the next call that answers the same one.
 */
final class ColumnValues {
    /** Up to this many selected rows of a block are decoded one by one. */
    private static final int FEW_ROWS = 16;

    private final long[] longs = new long[SegmentFormat.BLOCK_ROWS];
    private final int[] ints = new int[SegmentFormat.BLOCK_ROWS];
    private final BytesColumn strings = new BytesColumn(SegmentFormat.BLOCK_ROWS, 1 << 16);

    /**
     * Values of the open block; NULLs are 0.
     *
     * @param rows the selected rows, null if all are
     */
    long[] longs(BlockCursor cursor, int @Nullable [] rows, int count) {
        if (rows == null) {
            cursor.longs(0, count, longs, 0);
        } else if (count <= FEW_ROWS) {
            for (int i = 0; i < count; i++) {
                cursor.longs(rows[i], 1, longs, i);
            }
        } else {
            int first = rows[0];
            cursor.longs(first, rows[count - 1] - first + 1, longs, 0);
            for (int i = 0; i < count; i++) {
                longs[i] = longs[rows[i] - first];
            }
        }
        return longs;
    }

    /** Codes of the open block. */
    void codes(BlockCursor cursor, int @Nullable [] rows, int count, int[] out) {
        if (rows == null) {
            cursor.codes(0, count, out, 0);
        } else if (count <= FEW_ROWS) {
            for (int i = 0; i < count; i++) {
                cursor.codes(rows[i], 1, out, i);
            }
        } else {
            int first = rows[0];
            cursor.codes(first, rows[count - 1] - first + 1, out, 0);
            for (int i = 0; i < count; i++) {
                out[i] = out[rows[i] - first];
            }
        }
    }

    long[] codesAsLongs(BlockCursor cursor, int @Nullable [] rows, int count) {
        codes(cursor, rows, count, ints);
        for (int i = 0; i < count; i++) {
            longs[i] = ints[i];
        }
        return longs;
    }

    /** The strings of all rows of the open block. */
    BytesColumn strings(BlockCursor cursor) {
        cursor.strings(0, cursor.rows(), strings, 0);
        return strings;
    }
}
