package dev.penstock.cli.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.cli.render.JsonRows;
import dev.penstock.convert.Parsed;
import dev.penstock.convert.ValueParser;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Rows of every type, written as Arrow and as JSON; Arrow is read back by Arrow's own reader. */
final class ArrowRowsTest {
    /** Type, text that a load would read, Arrow's value as text, JSON. */
    private record Case(ColumnType type, String text, String arrow, String json) {}

    private static final List<Case> CASES =
            List.of(
                    new Case(new ColumnType.BooleanType(), "true", "true", "true"),
                    new Case(new ColumnType.SmallIntType(), "-32768", "-32768", "-32768"),
                    new Case(
                            new ColumnType.IntegerType(), "2147483647", "2147483647", "2147483647"),
                    new Case(
                            new ColumnType.BigIntType(),
                            "-9223372036854775808",
                            "-9223372036854775808",
                            "-9223372036854775808"),
                    new Case(new ColumnType.RealType(), "1.5", "1.5", "1.5"),
                    new Case(new ColumnType.DoubleType(), "-0.25", "-0.25", "-0.25"),
                    new Case(new ColumnType.DecimalType(9, 2), "-12.30", "-12.30", "-12.30"),
                    new Case(
                            new ColumnType.DecimalType(38, 3),
                            "-12345678901234567890123456789.125",
                            "-12345678901234567890123456789.125",
                            "-12345678901234567890123456789.125"),
                    new Case(new ColumnType.DoubleType(), "NaN", "NaN", "\"NaN\""),
                    new Case(new ColumnType.DateType(), "1970-01-11", "10", "\"1970-01-11\""),
                    new Case(new ColumnType.TimeType(), "00:01:00", "60000000", "\"00:01:00\""),
                    new Case(
                            new ColumnType.TimestampType(),
                            "1969-12-31 23:59:59.5",
                            "1969-12-31T23:59:59.500",
                            "\"1969-12-31 23:59:59.500000\""),
                    new Case(
                            new ColumnType.UuidType(),
                            "00112233-4455-6677-8899-aabbccddeeff",
                            "00112233445566778899aabbccddeeff",
                            "\"00112233-4455-6677-8899-aabbccddeeff\""),
                    new Case(new ColumnType.VarbinaryType(9), "00ff7f", "00ff7f", "\"00ff7f\""),
                    new Case(new ColumnType.CharType(3), "a\u00e9", "a\u00e9", "\"a\u00e9\""),
                    new Case(
                            new ColumnType.VarcharType(9),
                            "\"q\"\t",
                            "\"q\"\t",
                            "\"\\\"q\\\"\\t\""));

    @Test
    void every_type_comes_back_from_arrow_as_it_went_in_and_null_as_null() throws IOException {
        TableSchema schema = schema();
        int[] columns = IntStream.range(0, CASES.size()).toArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ArrowRows rows = new ArrowRows(schema, columns, out)) {
            rows.rows(batch(schema));
            rows.rows(batch(schema));
            rows.finish();
        }
        try (BufferAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(
                                new ByteArrayInputStream(out.toByteArray()), allocator)) {
            int batches = 0;
            while (reader.loadNextBatch()) {
                batches++;
                assertThat(reader.getVectorSchemaRoot().getRowCount()).isEqualTo(2);
                for (int i = 0; i < CASES.size(); i++) {
                    FieldVector vector = reader.getVectorSchemaRoot().getVector(i);
                    assertThat(vector.getName()).isEqualTo("c" + i);
                    assertThat(text(vector.getObject(0)))
                            .as(CASES.get(i).type().sql())
                            .isEqualTo(CASES.get(i).arrow());
                    assertThat(vector.isNull(1)).as(CASES.get(i).type().sql()).isTrue();
                }
            }
            assertThat(batches).isEqualTo(2);
        }
    }

    private static String text(Object value) {
        return value instanceof byte[] bytes
                ? HexFormat.of().formatHex(bytes)
                : String.valueOf(value);
    }

    /** Of a batch, and of one with fewer rows after it. */
    @Test
    void each_row_has_its_values_whichever_are_null() throws IOException {
        Random random = new Random(67);
        List<Column> types =
                List.of(
                        new Column("a", new ColumnType.BigIntType(), true),
                        new Column("b", new ColumnType.BooleanType(), true),
                        new Column("c", new ColumnType.VarcharType(20), true),
                        new Column("d", new ColumnType.UuidType(), true),
                        new Column("e", new ColumnType.DecimalType(12, 3), false),
                        new Column("f", new ColumnType.VarcharType(20), false));
        TableSchema schema = TableSchema.declare("t", types, List.of());
        List<ColumnBatch> batches = List.of(batch(types, 1000, random), batch(types, 67, random));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ArrowRows rows = new ArrowRows(schema, new int[] {0, 1, 2, 3, 4, 5}, out)) {
            for (ColumnBatch batch : batches) {
                rows.rows(batch);
            }
            rows.finish();
        }
        try (BufferAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(
                                new ByteArrayInputStream(out.toByteArray()), allocator)) {
            for (ColumnBatch batch : batches) {
                assertThat(reader.loadNextBatch()).isTrue();
                assertThat(reader.getVectorSchemaRoot().getRowCount()).isEqualTo(batch.rowCount());
                for (int column = 0; column < types.size(); column++) {
                    FieldVector vector = reader.getVectorSchemaRoot().getVector(column);
                    for (int row = 0; row < batch.rowCount(); row++) {
                        Object value = vector.getObject(row);
                        assertThat(value == null ? "NULL" : text(value))
                                .isEqualTo(expected(types.get(column), batch, column, row));
                    }
                }
            }
        }
    }

    private static String expected(Column column, ColumnBatch batch, int index, int row) {
        if (!batch.column(index).validity().isValid(row)) {
            return "NULL";
        }
        return switch (batch.column(index)) {
            case LongColumn longs ->
                    switch (column.type()) {
                        case ColumnType.BooleanType _ -> String.valueOf(longs.values()[row] != 0);
                        case ColumnType.DecimalType decimal ->
                                BigDecimal.valueOf(longs.values()[row], decimal.scale()).toString();
                        default -> String.valueOf(longs.values()[row]);
                    };
            case BytesColumn strings ->
                    column.type() instanceof ColumnType.UuidType
                            ? HexFormat.of().formatHex(strings.get(row))
                            : new String(strings.get(row), StandardCharsets.UTF_8);
        };
    }

    private static ColumnBatch batch(List<Column> types, int rows, Random random) {
        ColumnBatch batch = ColumnBatch.forColumns(types, rows);
        for (int i = 0; i < types.size(); i++) {
            boolean isUuid = types.get(i).type() instanceof ColumnType.UuidType;
            boolean isBoolean = types.get(i).type() instanceof ColumnType.BooleanType;
            for (int row = 0; row < rows; row++) {
                boolean isNull = types.get(i).nullable() && random.nextInt(3) == 0;
                if (isNull) {
                    batch.column(i).validity().setNull(row, rows);
                }
                switch (batch.column(i)) {
                    case LongColumn longs ->
                            longs.values()[row] =
                                    isBoolean ? random.nextInt(2) : random.nextInt() * 1000L + 1;
                    case BytesColumn strings -> {
                        int length = isNull ? 0 : isUuid ? 16 : random.nextInt(20);
                        byte[] value =
                                "abcdefghijklmnopqrstuv"
                                        .substring(0, length)
                                        .getBytes(StandardCharsets.UTF_8);
                        strings.append(row, value, 0, length);
                    }
                }
            }
        }
        batch.setRowCount(rows);
        return batch;
    }

    @Test
    void a_stream_without_rows_still_has_its_schema() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ArrowRows rows = new ArrowRows(schema(), new int[] {2, 0}, out)) {
            rows.finish();
        }
        try (BufferAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(
                                new ByteArrayInputStream(out.toByteArray()), allocator)) {
            assertThat(reader.loadNextBatch()).isFalse();
            assertThat(reader.getVectorSchemaRoot().getSchema().getFields())
                    .extracting(field -> field.getName())
                    .containsExactly("c2", "c0");
        }
    }

    @Test
    void a_stream_that_is_not_finished_is_none_to_a_reader() throws IOException {
        TableSchema schema = schema();
        int[] columns = IntStream.range(0, CASES.size()).toArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ArrowRows(schema, columns, out).close();
        assertThat(out.size()).isZero();
        try (ArrowRows rows = new ArrowRows(schema, columns, out)) {
            rows.rows(batch(schema));
        }
        try (BufferAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(
                                new ByteArrayInputStream(out.toByteArray()), allocator)) {
            assertThat(reader.loadNextBatch()).isTrue();
            assertThatThrownBy(reader::loadNextBatch).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(JsonRows.Layout.class)
    void json_that_is_not_finished_has_no_end_and_without_rows_no_beginning(JsonRows.Layout layout)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new JsonRows(schema(), new int[] {0}, layout, out).close();
        assertThat(out.size()).isZero();
        try (JsonRows rows = new JsonRows(schema(), new int[] {0}, layout, out)) {
            rows.rows(batch(schema()));
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("{\"c0\":null}\n");
    }

    @Test
    void every_type_has_its_form_in_json() throws IOException {
        TableSchema schema = schema();
        int[] columns = IntStream.range(0, CASES.size()).toArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonRows rows = new JsonRows(schema, columns, JsonRows.Layout.LINES, out)) {
            rows.rows(batch(schema));
            rows.finish();
        }
        StringBuilder values = new StringBuilder("{");
        StringBuilder nulls = new StringBuilder("{");
        for (int i = 0; i < CASES.size(); i++) {
            String name = (i == 0 ? "" : ",") + "\"c" + i + "\":";
            values.append(name).append(CASES.get(i).json());
            nulls.append(name).append("null");
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(values + "}\n" + nulls + "}\n");
    }

    private static TableSchema schema() {
        List<Column> columns = new ArrayList<>();
        for (Case each : CASES) {
            columns.add(new Column("c" + columns.size(), each.type(), true));
        }
        columns.add(new Column("k", new ColumnType.BigIntType(), false));
        return new TableSchema("t", columns, List.of(new KeyColumn(CASES.size(), false)), false);
    }

    /** One row of values and one of NULLs. */
    private static ColumnBatch batch(TableSchema schema) {
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns().subList(0, CASES.size()), 2);
        for (int i = 0; i < CASES.size(); i++) {
            byte[] text = CASES.get(i).text().getBytes(StandardCharsets.UTF_8);
            switch (ValueParser.parse(CASES.get(i).type(), text, 0, text.length)) {
                case Parsed.LongValue(long value) ->
                        ((LongColumn) batch.column(i)).values()[0] = value;
                case Parsed.BytesValue(byte[] value) -> {
                    batch.bytes(i).append(0, value, 0, value.length);
                    batch.bytes(i).append(1, new ByteBuilder(1).array(), 0, 0);
                }
                case Parsed.Invalid invalid -> throw new AssertionError(invalid);
            }
            batch.column(i).validity().setNull(1, 2);
        }
        batch.setRowCount(2);
        return batch;
    }
}
