package dev.penstock.sampler;

import dev.penstock.schema.Column;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The columns of a table that every sampled row is converted in: the key, and byte strings, whose
 * lengths say how large a row is.
 *
 * @param schema those columns alone, with the table's key
 * @param fieldColumns for each field of a record the index of its column in {@code schema}, or -1
 */
record SampleColumns(TableSchema schema, List<Integer> fieldColumns) {
    static SampleColumns of(TableSchema table, List<Integer> fieldColumns) {
        int[] index = new int[table.columnCount()];
        Arrays.fill(index, -1);
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < table.columnCount(); i++) {
            if (isKey(table, i) || table.column(i).type().kind() == PhysicalKind.BYTES) {
                index[i] = columns.size();
                columns.add(table.column(i));
            }
        }
        List<KeyColumn> key = new ArrayList<>();
        for (KeyColumn part : table.key()) {
            key.add(new KeyColumn(index[part.columnIndex()], part.descending()));
        }
        List<Integer> fields = new ArrayList<>();
        for (int column : fieldColumns) {
            fields.add(column < 0 ? -1 : index[column]);
        }
        TableSchema schema = new TableSchema(table.name(), columns, key, table.hiddenRowId());
        return new SampleColumns(schema, List.copyOf(fields));
    }

    private static boolean isKey(TableSchema table, int column) {
        for (KeyColumn part : table.key()) {
            if (part.columnIndex() == column) {
                return true;
            }
        }
        return false;
    }
}
