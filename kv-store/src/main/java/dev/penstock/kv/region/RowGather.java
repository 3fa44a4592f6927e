package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.kv.api.ScanCursor;

/**
 * Notes rows of several cursors' current batches as ranges of neighbours and copies them, column by
 * column, into one batch.
 */
final class RowGather {
    /** Up to so many values are moved one by one. */
    private static final int FEW = 8;

    private final KeyedCursor[] cursors;
    private final int[] sources = new int[ScanCursor.BATCH_ROWS];
    private final int[] starts = new int[ScanCursor.BATCH_ROWS];
    private final int[] lengths = new int[ScanCursor.BATCH_ROWS];
    private int rangeCount;
    private int rowCount;

    RowGather(KeyedCursor[] cursors) {
        this.cursors = cursors;
    }

    void add(int cursor, int row, int count) {
        int last = rangeCount - 1;
        if (last >= 0 && sources[last] == cursor && starts[last] + lengths[last] == row) {
            lengths[last] += count;
        } else {
            sources[rangeCount] = cursor;
            starts[rangeCount] = row;
            lengths[rangeCount] = count;
            rangeCount++;
        }
        rowCount += count;
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
        ColumnData[] from = new ColumnData[cursors.length];
        for (int column = 0; column < out.columnCount(); column++) {
            ColumnData target = out.column(column);
            target.ensureRows(rowCount);
            for (int i = 0; i < cursors.length; i++) {
                from[i] = cursors[i].batch().column(column);
            }
            switch (target) {
                case LongColumn longs -> copyLongs(from, longs);
                case BytesColumn bytes -> copyBytes(from, bytes);
            }
            copyNulls(from, target);
        }
        out.setRowCount(rowCount);
        clear();
    }

    private void copyLongs(ColumnData[] from, LongColumn target) {
        long[] out = target.values();
        int at = 0;
        for (int range = 0; range < rangeCount; range++) {
            long[] in = ((LongColumn) from[sources[range]]).values();
            int start = starts[range];
            int length = lengths[range];
            if (length > FEW) {
                System.arraycopy(in, start, out, at, length);
            } else {
                for (int i = 0; i < length; i++) {
                    out[at + i] = in[start + i];
                }
            }
            at += length;
        }
    }

    private void copyBytes(ColumnData[] from, BytesColumn target) {
        target.ensureBytes(byteCount(from));
        byte[] out = target.data();
        int[] outEnds = target.offsets();
        int at = 0;
        for (int range = 0; range < rangeCount; range++) {
            BytesColumn in = (BytesColumn) from[sources[range]];
            int[] ends = in.offsets();
            int start = starts[range];
            int length = lengths[range];
            int moved = outEnds[at] - ends[start];
            System.arraycopy(
                    in.data(), ends[start], out, outEnds[at], ends[start + length] - ends[start]);
            for (int i = 1; i <= length; i++) {
                outEnds[at + i] = ends[start + i] + moved;
            }
            at += length;
        }
    }

    private long byteCount(ColumnData[] from) {
        long count = 0;
        for (int range = 0; range < rangeCount; range++) {
            int[] ends = ((BytesColumn) from[sources[range]]).offsets();
            count += ends[starts[range] + lengths[range]] - ends[starts[range]];
        }
        return count;
    }

    private void copyNulls(ColumnData[] from, ColumnData target) {
        int at = 0;
        for (int range = 0; range < rangeCount; range++) {
            Validity in = from[sources[range]].validity();
            int start = starts[range];
            int length = lengths[range];
            for (int i = 0; in.hasNulls() && i < length; i++) {
                if (!in.isValid(start + i)) {
                    target.validity().setNull(at + i, rowCount);
                }
            }
            at += length;
        }
    }
}
