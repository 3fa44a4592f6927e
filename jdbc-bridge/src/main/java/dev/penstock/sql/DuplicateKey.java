package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.Printable;
import dev.penstock.convert.KeyFormatter;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.TableSchema;

/** An INSERT or UPDATE would give a row a key that another has. */
final class DuplicateKey extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_KEY_LENGTH = 200;

    private DuplicateKey(String message) {
        super(message);
    }

    /** An INSERT of a row whose key the table, or another row of the statement, has already. */
    static DuplicateKey inserted(TableSchema schema, ColumnBatch rows, int row) {
        return inserted(schema, new KeyCodec(schema).encode(rows, row));
    }

    /** The same, as a load has found it. */
    static DuplicateKey inserted(TableSchema schema, PenstockException found) {
        DuplicateKey duplicate = inserted(schema, found.key());
        duplicate.initCause(found);
        return duplicate;
    }

    /** A key may be too long to be told: then it is empty. */
    private static DuplicateKey inserted(TableSchema schema, byte[] key) {
        return new DuplicateKey(
                "table "
                        + schema.name()
                        + " has a row with "
                        + (key.length == 0 ? "this key" : "key " + text(schema, key))
                        + " already; UPSERT INTO replaces rows");
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
