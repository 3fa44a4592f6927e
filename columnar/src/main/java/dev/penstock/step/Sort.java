package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.TableSchema;
import dev.penstock.sort.Gather;
import dev.penstock.sort.RowOrder;

import org.jspecify.annotations.Nullable;

/**
 * The step that brings rows into key order; equal keys stay in the order they came. Input that is
 * in order already, as most files are, costs one comparison of neighbours. Owned by one thread.
 */
public final class Sort {
    private final TableSchema schema;
    private final RowOrder order;
    private ColumnBatch target;
    private int @Nullable [] found;

    public Sort(TableSchema schema) {
        this.schema = schema;
        this.order = new RowOrder(schema);
        this.target = ColumnBatch.forColumns(schema.columns(), 0);
    }

    /**
     * The order of a batch's rows, for a next step that brings them into it: row numbers, valid
     * until the next call; null if the rows are in order.
     */
    public int @Nullable [] order(ColumnBatch batch) {
        order.find(batch, batch.rowCount());
        found = order.isIdentity() ? null : order.rows();
        return found;
    }

    /** What {@link #order} returned last. */
    public int @Nullable [] lastOrder() {
        return found;
    }

    /** The same batch if it is in order, else a copy that is valid until the next call. */
    public ColumnBatch run(ColumnBatch batch) {
        int rows = batch.rowCount();
        int[] rowsInOrder = order(batch);
        if (rowsInOrder == null) {
            return batch;
        }
        if (batch == target) {
            target = ColumnBatch.forColumns(schema.columns(), rows);
        }
        for (int column = 0; column < schema.columnCount(); column++) {
            Gather.rows(batch.column(column), rows, rowsInOrder, 0, rows, target.column(column));
        }
        target.setRowCount(rows);
        return target;
    }
}
