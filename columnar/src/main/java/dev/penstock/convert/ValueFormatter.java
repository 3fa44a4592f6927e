package dev.penstock.convert;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.ColumnType;

/** Physical values as text; {@link ValueParser} reads all of it back. */
public final class ValueFormatter {
    private ValueFormatter() {}

    public static void format(ColumnType type, long value, ByteBuilder out) {}

    public static void format(ColumnType type, byte[] data, int from, int to, ByteBuilder out) {}
}
