package dev.penstock.kv.ddl;

import dev.penstock.convert.Parsed;
import dev.penstock.convert.ValueParser;
import dev.penstock.error.PenstockException;
import dev.penstock.predicate.Literal;
import dev.penstock.schema.ColumnType;

import java.nio.charset.StandardCharsets;

/** Single values written as text by a user, in the physical form of a column. */
final class Values {
    private Values() {}

    static long longValue(ColumnType type, String text, String column) {
        if (parse(type, text, column) instanceof Literal.LongLiteral(long value)) {
            return value;
        }
        throw PenstockException.internal("type " + type.sql() + " is not held in a long");
    }

    static byte[] bytesValue(ColumnType type, String text, String column) {
        if (parse(type, text, column) instanceof Literal.BytesLiteral(byte[] value)) {
            return value;
        }
        throw PenstockException.internal("type " + type.sql() + " is held in a long");
    }

    /** Parses as a load would; what a load would reject is a usage error that says why. */
    static Literal parse(ColumnType type, String text, String column) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return switch (ValueParser.parse(type, bytes, 0, bytes.length)) {
            case Parsed.LongValue(long value) -> new Literal.LongLiteral(value);
            case Parsed.BytesValue(byte[] value) -> new Literal.BytesLiteral(value);
            case Parsed.Invalid invalid ->
                    throw PenstockException.usage(
                            "'"
                                    + text
                                    + "' is no value for column "
                                    + column
                                    + " ("
                                    + type.sql()
                                    + "): expected "
                                    + invalid.expected());
        };
    }
}
