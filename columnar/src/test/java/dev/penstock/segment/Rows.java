package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Rows as objects, the oracle of these tests: a value is a {@code Long}, a {@code byte[]} or null.
 */
public final class Rows {
    private Rows() {}

    /** One nullable column per type, with a key of two longs, the second descending. */
    public static TableSchema wideSchema() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("k1", new ColumnType.BigIntType(), false));
        columns.add(new Column("k2", new ColumnType.IntegerType(), false));
        columns.add(new Column("bool", new ColumnType.BooleanType(), true));
        columns.add(new Column("small", new ColumnType.SmallIntType(), true));
        columns.add(new Column("int", new ColumnType.IntegerType(), true));
        columns.add(new Column("big", new ColumnType.BigIntType(), true));
        columns.add(new Column("double", new ColumnType.DoubleType(), true));
        columns.add(new Column("decimal", new ColumnType.DecimalType(15, 2), true));
        columns.add(new Column("wide", new ColumnType.DecimalType(30, 2), true));
        columns.add(new Column("date", new ColumnType.DateType(), true));
        columns.add(new Column("char1", new ColumnType.CharType(1), true));
        columns.add(new Column("enum", new ColumnType.VarcharType(30), true));
        columns.add(new Column("text", new ColumnType.VarcharType(200), true));
        columns.add(new Column("binary", new ColumnType.VarbinaryType(100), true));
        columns.add(new Column("uuid", new ColumnType.UuidType(), true));
        columns.add(new Column("seconds", new ColumnType.TimestampType(), true));
        columns.add(new Column("price", new ColumnType.DoubleType(), true));
        columns.add(new Column("real", new ColumnType.RealType(), true));
        columns.add(new Column("thousands", new ColumnType.BigIntType(), true));
        return TableSchema.declare(
                "wide", columns, List.of(new KeyColumn(0, false), new KeyColumn(1, true)));
    }

    /** A key of a string and a long. */
    public static TableSchema stringKeySchema() {
        return TableSchema.declare(
                "strings",
                List.of(
                        new Column("value", new ColumnType.IntegerType(), true),
                        new Column("name", new ColumnType.VarcharType(50), false),
                        new Column("number", new ColumnType.BigIntType(), false)),
                List.of(new KeyColumn(1, false), new KeyColumn(2, false)));
    }

    /** A key of one text. */
    public static TableSchema textKeySchema(boolean descending) {
        return TableSchema.declare(
                "texts",
                List.of(
                        new Column("value", new ColumnType.IntegerType(), true),
                        new Column("name", new ColumnType.VarcharType(50), false)),
                List.of(new KeyColumn(1, descending)));
    }

    /** A key of a time of full seconds, and a descending one of a number of two decimals. */
    public static TableSchema scaledKeySchema() {
        return TableSchema.declare(
                "scaled",
                List.of(
                        new Column("at", new ColumnType.TimestampType(), false),
                        new Column("price", new ColumnType.DoubleType(), false)),
                List.of(new KeyColumn(0, false), new KeyColumn(1, true)));
    }

    /** A key of a descending long and an int. */
    public static TableSchema descendingKeySchema() {
        return TableSchema.declare(
                "descending",
                List.of(
                        new Column("number", new ColumnType.BigIntType(), false),
                        new Column("detail", new ColumnType.IntegerType(), false)),
                List.of(new KeyColumn(0, true), new KeyColumn(1, false)));
    }

    /**
     * Random rows. Keys repeat if {@code keySpan} is small; {@code nullPercent} of values are NULL.
     */
    public static List<@Nullable Object[]> random(
            TableSchema schema, Random random, int count, int keySpan, int nullPercent) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            @Nullable Object[] row = new Object[schema.columnCount()];
            for (int column = 0; column < row.length; column++) {
                Column spec = schema.column(column);
                boolean isNull = spec.nullable() && random.nextInt(100) < nullPercent;
                row[column] = isNull ? null : value(schema, column, random, keySpan);
            }
            rows.add(row);
        }
        return rows;
    }

    private static Object value(TableSchema schema, int column, Random random, int keySpan) {
        if (schema.key().stream().anyMatch(part -> part.columnIndex() == column)) {
            int key = random.nextInt(keySpan) - keySpan / 3;
            ColumnType type = schema.column(column).type();
            if (type instanceof ColumnType.TimestampType) {
                return key * 1_000_000L;
            }
            if (type.isFloatingPoint()) {
                return FloatOrder.toOrdered(key / 100.0);
            }
            return type.kind() == PhysicalKind.LONG
                    ? (Object) (long) key
                    : ("k" + Integer.toString(key, 3) + (key % 7 == 0 ? "\0" : ""))
                            .getBytes(StandardCharsets.UTF_8);
        }
        return switch (schema.column(column).type()) {
            case ColumnType.BooleanType _ -> (long) random.nextInt(2);
            case ColumnType.SmallIntType _ -> (long) (short) random.nextInt();
            case ColumnType.IntegerType _ -> (long) (random.nextInt(50) - 25);
            case ColumnType.BigIntType _ ->
                    schema.column(column).name().equals("thousands")
                            ? (Object) (1000L * random.nextInt(1 << 20))
                            : (Object) random.nextLong();
            case ColumnType.DecimalType(int precision, int _) ->
                    precision > 18
                            ? bytes(random, 16, 16)
                            : (Object) (long) random.nextInt(1 << 24);
            case ColumnType.DateType _ -> (long) (8000 + random.nextInt(2500));
            case ColumnType.CharType _ -> new byte[] {(byte) ('A' + random.nextInt(3))};
            case ColumnType.VarcharType(int length) ->
                    length == 30 ? word(random) : bytes(random, 0, 60);
            case ColumnType.UuidType _ -> bytes(random, 16, 16);
            case ColumnType.VarbinaryType _ -> bytes(random, 0, 20);
            case ColumnType.TimestampType _ -> random.nextInt() * 1_000_000L;
            case ColumnType.RealType _ ->
                    FloatOrder.toOrdered((random.nextInt(100_000) - 50_000) / 10f);
            case ColumnType.DoubleType _ ->
                    schema.column(column).name().equals("price")
                            ? FloatOrder.toOrdered((random.nextInt(1 << 24) - (1 << 20)) / 100.0)
                            : random.nextLong();
            case ColumnType.TimeType _ -> random.nextLong();
        };
    }

    private static byte[] word(Random random) {
        String[] words = {"", "TAKE BACK RETURN", "TAKE BACK RETURN AND GO ON", "MAIL", "AIR", "0"};
        return words[random.nextInt(words.length)].getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Random random, int min, int max) {
        byte[] value = new byte[min + random.nextInt(max - min + 1)];
        random.nextBytes(value);
        for (int i = 0; i < value.length && min != max; i++) {
            value[i] &= 0x7;
        }
        return value;
    }

    public static ColumnBatch batch(TableSchema schema, List<@Nullable Object[]> rows) {
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), rows.size());
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < schema.columnCount(); column++) {
                set(batch.column(column), row, rows.get(row)[column], rows.size());
            }
        }
        batch.setRowCount(rows.size());
        return batch;
    }

    private static void set(ColumnData column, int row, @Nullable Object value, int rows) {
        if (value == null) {
            column.validity().setNull(row, rows);
        }
        switch (column) {
            case LongColumn longs -> longs.values()[row] = value == null ? 0 : (long) value;
            case BytesColumn strings -> {
                byte[] bytes = value == null ? new byte[0] : (byte[]) value;
                strings.append(row, bytes, 0, bytes.length);
            }
        }
    }

    /** All values of a column. */
    public static List<@Nullable Object> values(ColumnData column, int rows) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            if (!column.validity().isValid(row)) {
                values.add(null);
            } else {
                values.add(
                        switch (column) {
                            case LongColumn longs -> longs.values()[row];
                            case BytesColumn strings -> new Text(strings.get(row));
                        });
            }
        }
        return values;
    }

    /** A column of rows, comparable with {@link #values}. */
    public static List<@Nullable Object> column(List<@Nullable Object[]> rows, int column) {
        List<@Nullable Object> values = new ArrayList<>();
        for (@Nullable Object[] row : rows) {
            values.add(comparable(row[column]));
        }
        return values;
    }

    public static @Nullable Object comparable(@Nullable Object value) {
        return value instanceof byte[] bytes ? new Text(bytes) : value;
    }

    /** A byte string with value equality. */
    public record Text(byte[] bytes) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Text text && Arrays.equals(bytes, text.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return Arrays.toString(bytes);
        }
    }

    /** Rows in key order, stable. */
    public static List<@Nullable Object[]> sorted(
            TableSchema schema, List<@Nullable Object[]> rows) {
        List<byte[]> keys = keys(schema, rows);
        List<@Nullable Object[]> sorted = new ArrayList<>();
        IntStream.range(0, rows.size())
                .boxed()
                .sorted((left, right) -> Arrays.compareUnsigned(keys.get(left), keys.get(right)))
                .forEach(row -> sorted.add(rows.get(row)));
        return sorted;
    }

    public static byte[] key(TableSchema schema, @Nullable Object[] row) {
        List<@Nullable Object[]> one = new ArrayList<>();
        one.add(row);
        return keys(schema, one).getFirst();
    }

    /** The key of each row. */
    public static List<byte[]> keys(TableSchema schema, List<@Nullable Object[]> rows) {
        ColumnBatch batch = batch(schema, rows);
        KeyCodec codec = new KeyCodec(schema);
        List<byte[]> keys = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            keys.add(codec.encode(batch, row));
        }
        return keys;
    }
}
