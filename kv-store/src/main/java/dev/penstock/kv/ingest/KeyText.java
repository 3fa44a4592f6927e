package dev.penstock.kv.ingest;

import dev.penstock.bytes.Printable;
import dev.penstock.convert.KeyFormatter;
import dev.penstock.schema.TableSchema;

/** Keys for messages, not long: {@code (l_orderkey=1, l_linenumber=2)}. */
final class KeyText {
    private static final int MAX_LENGTH = 200;

    private KeyText() {}

    /** Printable. */
    static String of(TableSchema schema, byte[] key) {
        return Printable.line(unprinted(schema, key));
    }

    /** With control characters as they are in the key. */
    static String unprinted(TableSchema schema, byte[] key) {
        return Printable.cut("(" + KeyFormatter.format(schema, key) + ")", MAX_LENGTH);
    }
}
