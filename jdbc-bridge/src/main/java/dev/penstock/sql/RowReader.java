package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.Column;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Makes of the rows of batches the values with which Calcite represents them. */
final class RowReader {
    private final CellReader[] cells;

    /** Of batches with these columns. */
    RowReader(List<Column> columns) {
        this.cells =
                columns.stream()
                        .map(column -> CellReader.of(column.type()))
                        .toArray(CellReader[]::new);
    }

    /** A new array of the row's values. */
    @Nullable Object[] values(ColumnBatch batch, int row) {
        @Nullable Object[] values = new Object[cells.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = cells[i].readNullable(batch.column(i), row);
        }
        return values;
    }

    /** The same, or, of a single column, its value: what Calcite expects of a row. */
    @Nullable Object row(ColumnBatch batch, int row) {
        return cells.length == 1 ? cells[0].readNullable(batch.column(0), row) : values(batch, row);
    }
}
