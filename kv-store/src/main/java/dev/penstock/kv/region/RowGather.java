package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.kv.api.ScanCursor;

/**
 * Notes rows of several cursors' current batches as ranges of neighbours and copies them, column by
 * column, into one batch.
 */
final class RowGather {
    private final KeyedCursor[] cursors;
    private final int[] sources = new int[ScanCursor.BATCH_ROWS];
    private final int[] starts = new int[ScanCursor.BATCH_ROWS];
    private final int[] lengths = new int[ScanCursor.BATCH_ROWS];
    private int rangeCount;
    private int rowCount;

    RowGather(KeyedCursor[] cursors) {
        this.cursors = cursors;
    }

    void add(int cursor, int row) {
        int last = rangeCount - 1;
        if (last >= 0 && sources[last] == cursor && starts[last] + lengths[last] == row) {
            lengths[last]++;
        } else {
            sources[rangeCount] = cursor;
            starts[rangeCount] = row;
            lengths[rangeCount] = 1;
            rangeCount++;
        }
        rowCount++;
    }

    boolean isEmpty() {
        return rowCount == 0;
    }

    int rowCount() {
        return rowCount;
    }

    void clear() {
        rangeCount = 0;
        rowCount = 0;
    }

    /** Copies the noted rows into an empty batch and forgets them. */
    void copy(ColumnBatch out) {
        for (int column = 0; column < out.columnCount(); column++) {
            out.column(column).ensureRows(rowCount);
            int outRow = 0;
            for (int range = 0; range < rangeCount; range++) {
                ColumnData source = cursors[sources[range]].batch().column(column);
                copy(source, starts[range], lengths[range], out.column(column), outRow);
                outRow += lengths[range];
            }
        }
        out.setRowCount(rowCount);
        clear();
    }

    private static void copy(ColumnData source, int from, int count, ColumnData out, int outRow) {
        switch (out) {
            case LongColumn longs ->
                    System.arraycopy(
                            ((LongColumn) source).values(), from, longs.values(), outRow, count);
            case BytesColumn bytes -> copyBytes((BytesColumn) source, from, count, bytes, outRow);
        }
        if (source.validity().hasNulls()) {
            for (int i = 0; i < count; i++) {
                if (!source.validity().isValid(from + i)) {
                    out.validity().setNull(outRow + i, outRow + count);
                }
            }
        }
        if (out.validity().hasNulls()) {
            out.validity().ensureBits(outRow + count);
        }
    }

    private static void copyBytes(
            BytesColumn source, int from, int count, BytesColumn out, int outRow) {
        int[] sourceOffsets = source.offsets();
        int start = sourceOffsets[from];
        int length = sourceOffsets[from + count] - start;
        int outStart = out.offsets()[outRow];
        out.ensureBytes((long) outStart + length);
        System.arraycopy(source.data(), start, out.data(), outStart, length);
        int[] outOffsets = out.offsets();
        for (int i = 1; i <= count; i++) {
            outOffsets[outRow + i] = sourceOffsets[from + i] - start + outStart;
        }
    }
}
