package dev.penstock.schema;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A table: its columns in declared order and its primary key.
 *
 * <p>A table declared without a key gets one hidden BIGINT column {@link #ROW_ID} as its last
 * column and only key part ({@link #hiddenRowId}); readers see it only when they name it.
 *
 * @param name table name, compared without regard to case
 * @param columns all columns, the hidden one included
 * @param key key parts in key order, at least one; key columns are never nullable
 * @param hiddenRowId whether the last column is the hidden row id
 */
public record TableSchema(
        String name, List<Column> columns, List<KeyColumn> key, boolean hiddenRowId) {
    /** Name of the hidden key column of a table declared without a key. */
    public static final String ROW_ID = "_rowid";

    /** Most columns a table may have. */
    public static final int MAX_COLUMNS = 4096;

    public TableSchema {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        if (name.isBlank() || name.length() > 128) {
            throw new IllegalArgumentException("a table name needs 1 to 128 characters");
        }
        if (columns.isEmpty() || columns.size() > MAX_COLUMNS) {
            throw new IllegalArgumentException(
                    "table " + name + " needs 1 to " + MAX_COLUMNS + " columns");
        }
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "table " + name + " has two columns named " + column.name());
            }
        }
        if (key.isEmpty()) {
            throw new IllegalArgumentException("table " + name + " has no key column");
        }
        Set<Integer> keyIndexes = new HashSet<>();
        for (KeyColumn part : key) {
            if (part.columnIndex() < 0
                    || part.columnIndex() >= columns.size()
                    || !keyIndexes.add(part.columnIndex())) {
                throw new IllegalArgumentException("table " + name + " has an impossible key");
            }
            if (columns.get(part.columnIndex()).nullable()) {
                throw new IllegalArgumentException(
                        "key column "
                                + columns.get(part.columnIndex()).name()
                                + " may not be NULL");
            }
        }
    }

    /**
     * A table as a user declares it: an empty {@code key} adds the hidden row id; key columns
     * become NOT NULL.
     */
    public static TableSchema declare(String name, List<Column> columns, List<KeyColumn> key) {
        if (key.isEmpty()) {
            List<Column> all = new java.util.ArrayList<>(columns);
            all.add(new Column(ROW_ID, new ColumnType.BigIntType(), false));
            return new TableSchema(name, all, List.of(new KeyColumn(columns.size(), false)), true);
        }
        List<Column> all = new java.util.ArrayList<>(columns);
        for (KeyColumn part : key) {
            if (part.columnIndex() >= 0 && part.columnIndex() < all.size()) {
                Column column = all.get(part.columnIndex());
                all.set(part.columnIndex(), new Column(column.name(), column.type(), false));
            }
        }
        return new TableSchema(name, all, key, false);
    }

    public int columnCount() {
        return columns.size();
    }

    /** Columns that a user declared: all but a hidden row id. */
    public int visibleColumnCount() {
        return hiddenRowId ? columns.size() - 1 : columns.size();
    }

    public Column column(int index) {
        return columns.get(index);
    }

    /** Index of the column with that name, without regard to case, or -1. */
    public int indexOf(String columnName) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(columnName)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The {@code CREATE TABLE} statement that declares this table, with quotes where names need
     * them.
     */
    public String sql() {
        StringBuilder text =
                new StringBuilder("CREATE TABLE ").append(SqlNames.written(name)).append(" (\n");
        for (int i = 0; i < visibleColumnCount(); i++) {
            Column column = columns.get(i);
            text.append("  ")
                    .append(SqlNames.written(column.name()))
                    .append(' ')
                    .append(column.type().sql());
            text.append(column.nullable() ? "" : " NOT NULL");
            text.append(i + 1 < visibleColumnCount() || !hiddenRowId ? ",\n" : "\n");
        }
        if (!hiddenRowId) {
            text.append("  PRIMARY KEY (");
            for (int i = 0; i < key.size(); i++) {
                text.append(i == 0 ? "" : ", ")
                        .append(SqlNames.written(columns.get(key.get(i).columnIndex()).name()));
                text.append(key.get(i).descending() ? " DESC" : "");
            }
            text.append(")\n");
        }
        return text.append(")").toString();
    }
}
