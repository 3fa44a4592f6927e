package dev.penstock.sql;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.convert.ValueFormatter;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;

import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Makes of a stored value the object with which Calcite represents it. Both zeros of REAL and
 * DOUBLE become the positive one: Calcite's code takes them for equal where it compares numbers,
 * and for different where it groups, joins, sorts or removes duplicates.
 */
@FunctionalInterface
interface CellReader {
    long MICROS_PER_MILLI = 1000;

    /** Of a row whose value is not NULL. */
    Object read(ColumnData column, int row);

    /** The same for any row. */
    default @Nullable Object readNullable(ColumnData column, int row) {
        return column.validity().isValid(row) ? read(column, row) : null;
    }

    static CellReader of(ColumnType type) {
        return switch (type) {
            case ColumnType.BooleanType _ -> (column, row) -> longOf(column, row) != 0;
            case ColumnType.SmallIntType _ -> (column, row) -> (short) longOf(column, row);
            case ColumnType.IntegerType _, ColumnType.DateType _ ->
                    (column, row) -> (int) longOf(column, row);
            case ColumnType.BigIntType _ -> CellReader::longOf;
            case ColumnType.RealType _ -> (column, row) -> (float) number(column, row);
            case ColumnType.DoubleType _ -> CellReader::number;
            case ColumnType.DecimalType decimal -> decimal(decimal);
            case ColumnType.TimeType _ ->
                    (column, row) -> (int) (longOf(column, row) / MICROS_PER_MILLI);
            case ColumnType.TimestampType _ ->
                    (column, row) -> Math.floorDiv(longOf(column, row), MICROS_PER_MILLI);
            case ColumnType.CharType _, ColumnType.VarcharType _ -> CellReader::text;
            case ColumnType.VarbinaryType _ ->
                    (column, row) -> new ByteString(((BytesColumn) column).get(row));
            case ColumnType.UuidType _ -> CellReader::uuid;
        };
    }

    private static CellReader decimal(ColumnType.DecimalType type) {
        int scale = type.scale();
        return type.precision() <= ColumnType.MAX_LONG_DECIMAL_PRECISION
                ? (column, row) -> BigDecimal.valueOf(longOf(column, row), scale)
                : (column, row) -> wide((BytesColumn) column, row, scale);
    }

    private static BigDecimal wide(BytesColumn column, int row, int scale) {
        int[] offsets = column.offsets();
        return ValueFormatter.wide(column.data(), offsets[row], offsets[row + 1], scale);
    }

    /** A sum is the negative zero only if both summands are. */
    private static double number(ColumnData column, int row) {
        return FloatOrder.fromOrdered(longOf(column, row)) + 0.0;
    }

    private static long longOf(ColumnData column, int row) {
        return ((LongColumn) column).values()[row];
    }

    private static String text(ColumnData column, int row) {
        BytesColumn bytes = (BytesColumn) column;
        int from = bytes.offsets()[row];
        return new String(
                bytes.data(), from, bytes.offsets()[row + 1] - from, StandardCharsets.UTF_8);
    }

    private static OrderedUuid uuid(ColumnData column, int row) {
        return OrderedUuid.of(((BytesColumn) column).get(row));
    }
}
