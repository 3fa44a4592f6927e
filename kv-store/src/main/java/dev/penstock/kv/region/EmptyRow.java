package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;

/** Fills the place of a row that has no values. */
final class EmptyRow {
    private EmptyRow() {}

    /** Sets the first columns of {@code row}, the next row of the batch, to 0 or empty. */
    static void append(ColumnBatch batch, int columnCount, int row) {
        for (int i = 0; i < columnCount; i++) {
            batch.column(i).ensureRows(row + 1);
            switch (batch.column(i)) {
                case LongColumn longs -> longs.values()[row] = 0;
                case BytesColumn bytes -> bytes.append(row, new byte[0], 0, 0);
            }
        }
    }
}
