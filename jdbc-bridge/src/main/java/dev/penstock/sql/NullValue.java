package dev.penstock.sql;

/** A NULL for a column that takes none. */
final class NullValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NullValue(String column) {
        super("column " + column + " may not be NULL");
    }
}
