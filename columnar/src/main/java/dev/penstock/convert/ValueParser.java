package dev.penstock.convert;

import dev.penstock.reject.RejectReason;
import dev.penstock.schema.ColumnType;

/** Exact conversion of one text value; knows no NULL. */
public final class ValueParser {
    private ValueParser() {}

    public static Parsed parse(ColumnType type, byte[] text, int from, int length) {
        return new Parsed.Invalid(RejectReason.BAD_VALUE, type.sql());
    }
}
