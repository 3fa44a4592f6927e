package dev.penstock.loader.route;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.TableSchema;

/** Copies consecutive rows of a batch into one of its own. Owned by one thread. */
public final class RowWindow {
    private final ColumnBatch window;
    private int[] rows = new int[0];

    public RowWindow(TableSchema schema) {
        window = ColumnBatch.forColumns(schema.columns(), 0);
    }

    /** Rows [from, to); valid until the next call. */
    public ColumnBatch of(ColumnBatch batch, int from, int to) {
        if (rows.length < to) {
            int old = rows.length;
            rows = java.util.Arrays.copyOf(rows, to);
            for (int i = old; i < to; i++) {
                rows[i] = i;
            }
        }
        RowGather.gather(batch, rows, from, to, window);
        return window;
    }
}
