package dev.penstock.schema;

/** One column of a table. Names compare without regard to case and keep the case they came in. */
public record Column(String name, ColumnType type, boolean nullable) {
    public Column {
        if (name.isBlank() || name.length() > 128) {
            throw new IllegalArgumentException(
                    "a column name needs 1 to 128 characters: '" + name + "'");
        }
    }
}
