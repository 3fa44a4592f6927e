package dev.penstock.sql;

import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import java.util.stream.IntStream;

/**
 * Where statements find values as they are stored that Calcite does not tell apart. It computes
 * with milliseconds, the store keeps microseconds; it is given one zero, the store keeps two
 * ({@link CellReader}); and a change must keep what it does not set. So behind the columns of a
 * table come hidden fields, one for each column of such a type in their order, that hold what is
 * stored as BIGINT: microseconds, or a number in the order of {@link
 * dev.penstock.schema.FloatOrder}.
 */
final class ExactFields {
    private static final int NONE = -1;

    private final TableSchema schema;

    /** The columns of such types. */
    private final int[] columns;

    ExactFields(TableSchema schema) {
        this.schema = schema;
        this.columns =
                IntStream.range(0, schema.visibleColumnCount())
                        .filter(column -> isNeededFor(schema.column(column).type()))
                        .toArray();
    }

    /** Whether values of the type have more digits than Calcite computes with. */
    static boolean isTime(ColumnType type) {
        return type instanceof ColumnType.TimeType || type instanceof ColumnType.TimestampType;
    }

    /** Whether values that differ as they are stored may be equal to Calcite. */
    static boolean isNeededFor(ColumnType type) {
        return isTime(type) || type.isFloatingPoint();
    }

    /** The columns that have hidden fields, in the order of their hidden fields. */
    int[] columns() {
        return columns.clone();
    }

    /** Columns and hidden fields together. */
    int fieldCount() {
        return schema.visibleColumnCount() + columns.length;
    }

    boolean isHidden(int field) {
        return field >= schema.visibleColumnCount();
    }

    /** The column of the table that a field, hidden or not, reads. */
    int column(int field) {
        return isHidden(field) ? columns[field - schema.visibleColumnCount()] : field;
    }

    /** The hidden field of a column, or -1 if it needs none. */
    int hiddenField(int column) {
        for (int i = 0; i < columns.length; i++) {
            if (columns[i] == column) {
                return schema.visibleColumnCount() + i;
            }
        }
        return NONE;
    }

    /** What a hidden field is called: no column of the table has that name. */
    String hiddenName(int field) {
        StringBuilder name =
                new StringBuilder("stored ").append(schema.column(column(field)).name());
        while (schema.indexOf(name.toString()) >= 0) {
            name.insert(0, ' ');
        }
        return name.toString();
    }
}
