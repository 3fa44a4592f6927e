package dev.penstock.sql;

import dev.penstock.bytes.Printable;
import dev.penstock.convert.KeyFormatter;
import dev.penstock.schema.TableSchema;

/** An INSERT or UPDATE would give a row a key that another has. */
final class DuplicateKey extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_KEY_LENGTH = 200;

    private DuplicateKey(String message) {
        super(message);
    }

    /** An INSERT of a key that the table has already. */
    static DuplicateKey inserted(String table) {
        return new DuplicateKey(
                "table " + table + " has a row with this key already; UPSERT INTO replaces rows");
    }

    /** An UPDATE to a key that another row has. */
    static DuplicateKey updated(TableSchema schema, byte[] key) {
        return new DuplicateKey(
                "table "
                        + schema.name()
                        + " has a row with key "
                        + text(schema, key)
                        + " already, which an UPDATE does not replace; set another key, or DELETE"
                        + " that row first");
    }

    /** An UPDATE of several rows to one key. */
    static DuplicateKey updatedTwice(TableSchema schema, byte[] key) {
        return new DuplicateKey(
                "this UPDATE would give several rows of table "
                        + schema.name()
                        + " the key "
                        + text(schema, key)
                        + "; choose fewer rows, or set keys that differ");
    }

    /** An encoded key for messages, not long: {@code (shop=a, item=2)}. */
    static String text(TableSchema schema, byte[] key) {
        return Printable.line(
                Printable.cut("(" + KeyFormatter.format(schema, key) + ")", MAX_KEY_LENGTH));
    }
}
