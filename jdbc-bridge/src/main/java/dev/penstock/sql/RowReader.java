package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.IntStream;

/** Makes of the rows of batches the values with which Calcite represents them. */
final class RowReader {
    private final CellReader[] cells;

    /** Which of a batch's columns each value is of. */
    private final int[] positions;

    private RowReader(CellReader[] cells, int[] positions) {
        this.cells = cells;
        this.positions = positions;
    }

    /** Of batches with these columns. */
    RowReader(List<Column> columns) {
        this(
                columns.stream()
                        .map(column -> CellReader.of(column.type()))
                        .toArray(CellReader[]::new),
                IntStream.range(0, columns.size()).toArray());
    }

    /**
     * Of columns and hidden fields of a table.
     *
     * @param fields what a row has, as {@link ExactFields} counts
     * @param columns the table columns that batches have
     */
    static RowReader ofFields(TableSchema schema, int[] fields, int[] columns) {
        ExactFields exactFields = new ExactFields(schema);
        CellReader[] cells = new CellReader[fields.length];
        int[] positions = new int[fields.length];
        for (int i = 0; i < fields.length; i++) {
            int column = exactFields.column(fields[i]);
            cells[i] =
                    CellReader.of(
                            exactFields.isHidden(fields[i])
                                    ? new ColumnType.BigIntType()
                                    : schema.column(column).type());
            while (columns[positions[i]] != column) {
                positions[i]++;
            }
        }
        return new RowReader(cells, positions);
    }

    /** A new array of the row's values. */
    @Nullable Object[] values(ColumnBatch batch, int row) {
        @Nullable Object[] values = new Object[cells.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = cells[i].readNullable(batch.column(positions[i]), row);
        }
        return values;
    }

    /** The same, or, of a single column, its value: what Calcite expects of a row. */
    @Nullable Object row(ColumnBatch batch, int row) {
        return cells.length == 1
                ? cells[0].readNullable(batch.column(positions[0]), row)
                : values(batch, row);
    }
}
