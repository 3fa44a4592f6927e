package dev.penstock.loader.route;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.sort.Gather;

/** Copies chosen rows of one batch into another, column by column. */
public final class RowGather {
    private RowGather() {}

    /**
     * Replaces the contents of {@code out} with {@code rows[from, to)} of {@code in}, in order;
     * none of them occurs twice.
     */
    public static void gather(ColumnBatch in, int[] rows, int from, int to, ColumnBatch out) {
        out.clear();
        int count = to - from;
        for (int i = 0; i < in.columnCount(); i++) {
            Gather.rows(in.column(i), in.rowCount(), rows, from, count, out.column(i));
        }
        out.setRowCount(count);
    }
}
