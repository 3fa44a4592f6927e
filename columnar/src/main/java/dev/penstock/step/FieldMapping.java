package dev.penstock.step;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;

import java.util.List;

/** Which field of a record goes to which column of a table. */
final class FieldMapping {
    private final int[] columns;
    private final int[] fields;

    /** Refuses mappings that leave a NOT NULL column without a value, or give one two. */
    FieldMapping(TableSchema schema, List<Integer> fieldColumns) {
        if (fieldColumns.isEmpty()) {
            throw PenstockException.usage("records of table " + schema.name() + " need a field");
        }
        columns = fieldColumns.stream().mapToInt(Integer::intValue).toArray();
        fields = new int[schema.columnCount()];
        java.util.Arrays.fill(fields, -1);
        for (int field = 0; field < columns.length; field++) {
            int column = columns[field];
            if (column < -1 || column >= schema.visibleColumnCount()) {
                throw PenstockException.usage(
                        "table " + schema.name() + " has no column number " + (column + 1));
            }
            if (column >= 0 && fields[column] >= 0) {
                throw PenstockException.usage(
                        "two fields go to column " + schema.column(column).name());
            }
            if (column >= 0) {
                fields[column] = field;
            }
        }
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            Column column = schema.column(i);
            if (fields[i] < 0 && !column.nullable()) {
                throw PenstockException.usage(
                        "column "
                                + column.name()
                                + " of table "
                                + schema.name()
                                + " is NOT NULL and no field of the input goes to it; name it among"
                                + " the columns, or declare it nullable");
            }
        }
    }

    int fieldCount() {
        return columns.length;
    }

    /** Column of a field, or -1. */
    int column(int field) {
        return columns[field];
    }

    /** Field of a column, or -1. */
    int field(int column) {
        return fields[column];
    }
}
