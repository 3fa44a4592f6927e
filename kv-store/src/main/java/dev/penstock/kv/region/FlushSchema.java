package dev.penstock.kv.region;

import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.List;

/**
 * The schema of layers that remember deleted keys: the table's with one more BOOLEAN column at the
 * end, true where the key was deleted. The other columns of a deleted key hold NULL, or 0 or the
 * empty string where NULL may not be.
 */
public final class FlushSchema {
    private static final String DELETED = "_deleted";

    private FlushSchema() {}

    public static TableSchema of(TableSchema schema) {
        List<Column> columns = new ArrayList<>(schema.columns());
        String name = DELETED;
        while (schema.indexOf(name) >= 0) {
            name = "_" + name;
        }
        columns.add(new Column(name, new ColumnType.BooleanType(), false));
        return new TableSchema(schema.name(), columns, schema.key(), false);
    }
}
