package dev.penstock.sql;

/** An INSERT of a key that the table has already. */
final class DuplicateKey extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DuplicateKey(String table) {
        super("table " + table + " has a row with this key already; UPSERT INTO replaces rows");
    }
}
