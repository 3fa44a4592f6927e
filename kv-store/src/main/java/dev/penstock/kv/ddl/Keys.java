package dev.penstock.kv.ddl;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.predicate.Literal;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;

import java.util.List;

/** Keys that a user writes as text, one text per key column in key order. */
public final class Keys {
    private Keys() {}

    /** The encoded key of one row: a text for each key column. */
    public static byte[] encode(TableSchema schema, List<String> texts) {
        if (texts.size() != schema.key().size()) {
            throw PenstockException.usage(
                    "the key of table "
                            + schema.name()
                            + " has "
                            + columns(schema)
                            + ", but "
                            + Counted.of(texts.size(), "value")
                            + Counted.verb(texts.size(), " was", " were")
                            + " given");
        }
        return prefix(schema, texts);
    }

    /**
     * The encoded start of keys whose first columns have the given values: the smallest key of all
     * that begin so. As a range's start it includes them, as a range's end it excludes them.
     */
    public static byte[] prefix(TableSchema schema, List<String> texts) {
        if (texts.size() > schema.key().size()) {
            throw PenstockException.usage(
                    "the key of table "
                            + schema.name()
                            + " has only "
                            + columns(schema)
                            + ", but "
                            + texts.size()
                            + " values were given");
        }
        KeyCodec codec = new KeyCodec(schema);
        ByteBuilder out = new ByteBuilder(32);
        for (int part = 0; part < texts.size(); part++) {
            Column column = schema.column(schema.key().get(part).columnIndex());
            switch (Values.parse(column.type(), texts.get(part), column.name())) {
                case Literal.LongLiteral(long value) -> codec.putLong(part, value, out);
                case Literal.BytesLiteral(byte[] value) ->
                        codec.putBytes(part, value, 0, value.length, out);
            }
        }
        return out.toByteArray();
    }

    private static String columns(TableSchema schema) {
        StringBuilder text = new StringBuilder();
        int count = schema.key().size();
        text.append(Counted.of(count, "column")).append(" (");
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ");
            text.append(schema.column(schema.key().get(i).columnIndex()).name());
        }
        return text.append(')').toString();
    }
}
