package dev.penstock.batch;

import dev.penstock.schema.Column;
import dev.penstock.schema.PhysicalKind;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of some columns in memory. Filled by one step, read by the next, then cleared and filled
 * again; owned by one thread at a time. Columns are in the order the producer states (a table's
 * order unless it says otherwise).
 */
public final class ColumnBatch {
    private final List<ColumnData> columns;
    private int rowCount;

    public ColumnBatch(List<ColumnData> columns) {
        this.columns = List.copyOf(columns);
    }

    /** An empty batch for the given columns. */
    public static ColumnBatch forColumns(List<Column> columns, int rowCapacity) {
        List<ColumnData> data = new ArrayList<>();
        for (Column column : columns) {
            data.add(
                    column.type().kind() == PhysicalKind.LONG
                            ? new LongColumn(rowCapacity)
                            : new BytesColumn(rowCapacity, 16 * rowCapacity));
        }
        return new ColumnBatch(data);
    }

    public int rowCount() {
        return rowCount;
    }

    public void setRowCount(int rowCount) {
        this.rowCount = rowCount;
    }

    public int columnCount() {
        return columns.size();
    }

    public ColumnData column(int index) {
        return columns.get(index);
    }

    public LongColumn longs(int index) {
        return (LongColumn) columns.get(index);
    }

    public BytesColumn bytes(int index) {
        return (BytesColumn) columns.get(index);
    }

    /** Empties the batch, keeping its memory. */
    public void clear() {
        rowCount = 0;
        for (ColumnData column : columns) {
            column.validity().clear();
        }
    }

    public long retainedBytes() {
        long bytes = 0;
        for (ColumnData column : columns) {
            bytes += column.retainedBytes();
        }
        return bytes;
    }
}
