package dev.penstock.kv.ingest;

import dev.penstock.bytes.Printable;
import dev.penstock.convert.KeyFormatter;
import dev.penstock.schema.TableSchema;

/** Keys for messages, printable and not long: {@code (l_orderkey=1, l_linenumber=2)}. */
final class KeyText {
    private static final int MAX_LENGTH = 200;

    private KeyText() {}

    static String of(TableSchema schema, byte[] key) {
        return Printable.shortened("(" + KeyFormatter.format(schema, key) + ")", MAX_LENGTH);
    }
}
