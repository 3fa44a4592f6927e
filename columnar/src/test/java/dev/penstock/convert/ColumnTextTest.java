package dev.penstock.convert;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.PhysicalKind;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

/** Texts of columns against those of their values, by windows that begin anywhere. */
class ColumnTextTest {
    private static final int ROWS = 3000;

    private static final List<ColumnType> TYPES =
            List.of(
                    new ColumnType.BooleanType(),
                    new ColumnType.SmallIntType(),
                    new ColumnType.IntegerType(),
                    new ColumnType.BigIntType(),
                    new ColumnType.DecimalType(12, 2),
                    new ColumnType.DecimalType(18, 18),
                    new ColumnType.DecimalType(9, 0),
                    new ColumnType.DecimalType(30, 5),
                    new ColumnType.RealType(),
                    new ColumnType.DoubleType(),
                    new ColumnType.DateType(),
                    new ColumnType.DateType(),
                    new ColumnType.TimeType(),
                    new ColumnType.TimestampType(),
                    new ColumnType.UuidType(),
                    new ColumnType.CharType(5),
                    new ColumnType.VarcharType(40),
                    new ColumnType.VarbinaryType(40));

    private final Random random = new Random(53);

    @Test
    void textsAreThoseOfTheValues() {
        ColumnText[] texts = ColumnText.of(TYPES);
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < texts.length; i++) {
                ColumnData column = column(TYPES.get(i), round % 2 == 0);
                for (int from = 0; from < ROWS; ) {
                    int count =
                            Math.min(
                                    ROWS - from,
                                    random.nextInt(ColumnText.window(TYPES.size()) + 1));
                    texts[i].take(column, from, count);
                    check(texts[i], TYPES.get(i), column, from, count);
                    from += count;
                }
            }
        }
    }

    private static void check(
            ColumnText text, ColumnType type, ColumnData column, int from, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(text.isValid(i)).isEqualTo(column.validity().isValid(from + i));
            if (text.isValid(i)) {
                ByteBuilder expected = new ByteBuilder(0);
                format(type, column, from + i, expected);
                int length = text.end(i) - text.start(i);
                assertThat(new String(text.data(), text.start(i), length, ISO_8859_1))
                        .as(type.sql())
                        .isEqualTo(new String(expected.toByteArray(), ISO_8859_1));
                assertThat(text.isString() || length <= ColumnText.MAX_NUMBER_BYTES).isTrue();
            }
        }
    }

    private static void format(ColumnType type, ColumnData column, int row, ByteBuilder out) {
        switch (column) {
            case LongColumn longs -> ValueFormatter.format(type, longs.values()[row], out);
            case BytesColumn strings -> {
                int[] offsets = strings.offsets();
                ValueFormatter.format(type, strings.data(), offsets[row], offsets[row + 1], out);
            }
        }
    }

    private ColumnData column(ColumnType type, boolean nulls) {
        boolean isLong = type.kind() == PhysicalKind.LONG;
        ColumnData column = isLong ? new LongColumn(ROWS) : new BytesColumn(ROWS, 0);
        for (int row = 0; row < ROWS; row++) {
            boolean isNull = nulls && random.nextInt(4) == 0;
            if (isNull) {
                column.validity().setNull(row, ROWS);
            }
            switch (column) {
                // Behind a NULL there may be what no value of the type is.
                case LongColumn longs ->
                        longs.values()[row] = isNull ? random.nextLong() : value(type);
                case BytesColumn strings -> {
                    byte[] value = new byte[isNull ? 0 : length(type)];
                    random.nextBytes(value);
                    strings.append(row, value, 0, value.length);
                }
            }
        }
        return column;
    }

    private int length(ColumnType type) {
        return switch (type) {
            case ColumnType.UuidType _ -> 16;
            case ColumnType.DecimalType _ -> 13;
            default -> random.nextInt(30);
        };
    }

    private long value(ColumnType type) {
        return switch (type) {
            case ColumnType.BooleanType _ -> random.nextInt(2);
            case ColumnType.DateType _ ->
                    random.nextInt(3) > 0 ? random.nextInt(9000) : random.nextInt() >> 4;
            case ColumnType.TimeType _ -> random.nextLong(TimeText.MICROS_PER_DAY);
            case ColumnType.TimestampType _ ->
                    random.nextLong(-9000, 20_000) * TimeText.MICROS_PER_DAY + random.nextInt();
            case ColumnType.RealType _ ->
                    FloatOrder.toOrdered(Float.intBitsToFloat(random.nextInt()));
            case ColumnType.DoubleType _ ->
                    FloatOrder.toOrdered(Double.longBitsToDouble(random.nextLong()));
            case ColumnType.DecimalType decimal ->
                    random.nextLong() >> random.nextInt(40) + 5 * (decimal.scale() < 18 ? 1 : 0);
            default ->
                    random.nextInt(9) == 0
                            ? Long.MIN_VALUE
                            : random.nextLong() >> random.nextInt(63);
        };
    }
}
