package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.schema.ValueRange;

/** Refuses rows that a table cannot hold before anything of them is kept. */
final class RowCheck {
    private RowCheck() {}

    static void check(TableSchema schema, ColumnBatch rows) {
        if (rows.columnCount() != schema.columnCount()) {
            throw PenstockException.usage(
                    "rows of "
                            + Counted.of(rows.columnCount(), "column")
                            + " came for table "
                            + schema.name()
                            + " of "
                            + schema.columnCount());
        }
        for (int i = 0; i < schema.columnCount(); i++) {
            check(schema, schema.column(i), rows.column(i), rows.rowCount());
        }
    }

    private static void check(TableSchema schema, Column column, ColumnData data, int rowCount) {
        String name = "column " + column.name() + " of table " + schema.name();
        boolean isLong = data instanceof LongColumn;
        if (isLong != (column.type().kind() == PhysicalKind.LONG)) {
            throw PenstockException.usage("values of the wrong kind came for " + name);
        }
        if (!column.nullable() && data.validity().nullCount(rowCount) > 0) {
            throw PenstockException.data("NULL came for " + name + ", which is NOT NULL");
        }
        switch (data) {
            case LongColumn longs -> checkLongs(name, longs, rowCount, column.type());
            case BytesColumn bytes -> checkBytes(name, bytes, rowCount, column.type());
        }
    }

    private static void checkLongs(String name, LongColumn data, int rowCount, ColumnType type) {
        ValueRange range = ValueRange.of(type);
        long[] values = data.values();
        for (int row = 0; row < rowCount; row++) {
            if (!range.has(values[row])) {
                throw PenstockException.data(
                        values[row] + " came for " + name + ", a " + type.sql());
            }
        }
    }

    private static void checkBytes(String name, BytesColumn data, int rowCount, ColumnType type) {
        int bytesEach = type.plainBytes();
        int maxLength = maxLength(type);
        int[] offsets = data.offsets();
        for (int row = 0; row < rowCount; row++) {
            int from = offsets[row];
            int length = offsets[row + 1] - from;
            if (!data.validity().isValid(row)) {
                continue;
            }
            boolean wrong = length < 0 || (bytesEach > 0 && length != bytesEach);
            if (wrong
                    || (length > maxLength && units(data.data(), from, length, type) > maxLength)) {
                throw PenstockException.data(
                        "a value of "
                                + Counted.of(length, "byte")
                                + " came for "
                                + name
                                + ", a "
                                + type.sql());
            }
        }
    }

    private static int maxLength(ColumnType type) {
        return switch (type) {
            case ColumnType.CharType t -> t.length();
            case ColumnType.VarcharType t -> t.length();
            case ColumnType.VarbinaryType t -> t.length();
            default -> Integer.MAX_VALUE;
        };
    }

    /** What a length is counted in: bytes of VARBINARY, code points of text. */
    private static int units(byte[] data, int from, int length, ColumnType type) {
        if (type instanceof ColumnType.VarbinaryType) {
            return length;
        }
        int codePoints = 0;
        for (int i = from; i < from + length; i++) {
            codePoints += (data[i] & 0xC0) == 0x80 ? 0 : 1;
        }
        return codePoints;
    }
}
