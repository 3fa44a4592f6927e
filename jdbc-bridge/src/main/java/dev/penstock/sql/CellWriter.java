package dev.penstock.sql;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.WideOrder;

import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Stores the object with which Calcite represents a value; the inverse of {@link CellReader}. */
final class CellWriter {
    private final Column column;

    CellWriter(Column column) {
        this.column = column;
    }

    /**
     * Sets the next row of a column.
     *
     * @param rowCapacity rows that the batch may get
     * @throws PenstockException of category DATA if the column cannot hold the value
     * @throws NullValue if it takes no NULL
     */
    void write(@Nullable Object value, ColumnData target, int row, int rowCapacity) {
        if (value == null) {
            if (!column.nullable()) {
                throw new NullValue(column.name());
            }
            target.validity().setNull(row, rowCapacity);
        }
        switch (target) {
            case LongColumn longs -> {
                longs.ensureRows(row + 1);
                longs.values()[row] = value == null ? 0 : longOf(value);
            }
            case BytesColumn bytes -> {
                byte[] stored = value == null ? new byte[0] : bytesOf(value);
                bytes.append(row, stored, 0, stored.length);
            }
        }
    }

    private long longOf(Object value) {
        if (value instanceof ParameterValues.Stored(long stored)) {
            return stored;
        }
        return switch (column.type()) {
            case ColumnType.BooleanType _ -> (Boolean) value ? 1 : 0;
            case ColumnType.SmallIntType _,
                    ColumnType.IntegerType _,
                    ColumnType.BigIntType _,
                    ColumnType.DateType _ ->
                    ((Number) value).longValue();
            case ColumnType.RealType _, ColumnType.DoubleType _ ->
                    FloatOrder.toOrdered(((Number) value).doubleValue());
            case ColumnType.DecimalType type -> unscaled(value, type).longValueExact();
            case ColumnType.TimeType _, ColumnType.TimestampType _ ->
                    Math.multiplyExact(((Number) value).longValue(), CellReader.MICROS_PER_MILLI);
            case ColumnType.CharType _,
                    ColumnType.VarcharType _,
                    ColumnType.VarbinaryType _,
                    ColumnType.UuidType _ ->
                    throw PenstockException.internal(
                            column.type().sql() + " is not held in a long");
        };
    }

    private byte[] bytesOf(Object value) {
        return switch (column.type()) {
            case ColumnType.CharType(int length) -> text(value, length);
            case ColumnType.VarcharType(int length) -> text(value, length);
            case ColumnType.VarbinaryType(int length) -> {
                byte[] bytes = ((ByteString) value).getBytes();
                checkLength(bytes.length, length);
                yield bytes;
            }
            case ColumnType.UuidType _ -> {
                OrderedUuid uuid =
                        value instanceof UUID set ? OrderedUuid.of(set) : (OrderedUuid) value;
                yield uuid.bytes();
            }
            case ColumnType.DecimalType type -> WideOrder.toOrdered(unscaled(value, type));
            case ColumnType.BooleanType _,
                    ColumnType.SmallIntType _,
                    ColumnType.IntegerType _,
                    ColumnType.BigIntType _,
                    ColumnType.RealType _,
                    ColumnType.DoubleType _,
                    ColumnType.DateType _,
                    ColumnType.TimeType _,
                    ColumnType.TimestampType _ ->
                    throw PenstockException.internal(column.type().sql() + " is held in a long");
        };
    }

    private byte[] text(Object value, int length) {
        String text = (String) value;
        checkLength(text.codePointCount(0, text.length()), length);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void checkLength(int length, int most) {
        if (length > most) {
            throw tooLarge("a value of length " + length);
        }
    }

    private BigInteger unscaled(Object value, ColumnType.DecimalType type) {
        BigDecimal number =
                value instanceof BigDecimal decimal ? decimal : new BigDecimal(value.toString());
        BigDecimal rounded = number.setScale(type.scale(), RoundingMode.HALF_UP);
        if (rounded.precision() > type.precision()) {
            throw tooLarge(number.toPlainString());
        }
        return rounded.unscaledValue();
    }

    private PenstockException tooLarge(String value) {
        return PenstockException.data(
                "column " + column.name() + " (" + column.type().sql() + ") cannot hold " + value);
    }
}
