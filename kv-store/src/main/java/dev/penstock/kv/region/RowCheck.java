package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

/** Refuses rows that a table cannot hold before anything of them is kept. */
final class RowCheck {
    private RowCheck() {}

    static void check(TableSchema schema, ColumnBatch rows) {
        if (rows.columnCount() != schema.columnCount()) {
            throw PenstockException.usage(
                    "rows of "
                            + rows.columnCount()
                            + " columns came for table "
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
        int bytesEach = column.type().plainBytes();
        switch (data) {
            case LongColumn longs -> checkLongs(name, longs.values(), rowCount, bytesEach, column);
            case BytesColumn bytes -> checkBytes(name, bytes, rowCount, bytesEach);
        }
    }

    private static void checkLongs(
            String name, long[] values, int rowCount, int bytesEach, Column column) {
        int shift = 64 - 8 * bytesEach;
        for (int row = 0; row < rowCount; row++) {
            if (values[row] << shift >> shift != values[row]) {
                throw PenstockException.data(
                        values[row] + " came for " + name + ", a " + column.type().sql());
            }
        }
    }

    private static void checkBytes(String name, BytesColumn data, int rowCount, int bytesEach) {
        int[] offsets = data.offsets();
        for (int row = 0; row < rowCount; row++) {
            int length = offsets[row + 1] - offsets[row];
            boolean isNull = !data.validity().isValid(row);
            if (length < 0 || (bytesEach > 0 && !isNull && length != bytesEach)) {
                throw PenstockException.data("a value of " + length + " bytes came for " + name);
            }
        }
    }
}
