package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;

/** Takes faulty rows out of the end of a batch. */
final class RowRemoval {
    private RowRemoval() {}

    /**
     * Removes those of the {@code count} rows from {@code row} on that have a fault. In shared
     * columns each of these rows has a span of its own, the first after the spans of the batch.
     */
    static void removeFaulty(ColumnBatch batch, int row, int count, RowFaults faults) {
        int span = batch.spans().count();
        for (int i = 0; i < batch.columnCount(); i++) {
            ColumnData column = batch.held(i);
            int first = batch.isShared(i) ? span : row;
            removeBits(column.validity(), first, count, faults);
            switch (column) {
                case LongColumn longs -> removeLongs(longs.values(), first, count, faults);
                case BytesColumn bytes -> removeBytes(bytes, first, count, faults);
            }
        }
    }

    private static void removeLongs(long[] values, int row, int count, RowFaults faults) {
        int to = row;
        for (int i = 0; i < count; i++) {
            if (!faults.has(i)) {
                values[to++] = values[row + i];
            }
        }
    }

    private static void removeBytes(BytesColumn column, int row, int count, RowFaults faults) {
        int[] offsets = column.offsets();
        byte[] data = column.data();
        int to = row;
        int start = offsets[row];
        for (int i = 0; i < count; i++) {
            int end = offsets[row + i + 1];
            if (!faults.has(i)) {
                int at = offsets[to];
                System.arraycopy(data, start, data, at, end - start);
                offsets[++to] = at + end - start;
            }
            start = end;
        }
    }

    private static void removeBits(Validity validity, int row, int count, RowFaults faults) {
        if (!validity.hasNulls()) {
            return;
        }
        long[] words = validity.words();
        int to = row;
        for (int i = row; i < row + count; i++) {
            if (!faults.has(i - row)) {
                set(words, to++, words[i >> 6] >>> i & 1);
            }
        }
        // Rows to come are valid until someone says otherwise.
        while (to < row + count) {
            set(words, to++, 1);
        }
    }

    private static void set(long[] words, int bit, long value) {
        words[bit >> 6] = words[bit >> 6] & ~(1L << bit) | value << bit;
    }
}
