package dev.penstock.loader.plan;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.Printable;
import dev.penstock.convert.ValueFormatter;
import dev.penstock.dialect.Dialect;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.Column;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** How a plan names characters and keys. */
final class PlanWords {
    private static final int MAX_VALUE_CHARS = 60;

    /** Fields that a message names. */
    private static final int MAX_FIELDS = 10;

    private PlanWords() {}

    /** A special character as a user writes it, or empty for {@link Dialect#NONE}. */
    static String character(int value) {
        return switch (value) {
            case Dialect.NONE -> "";
            case '\t' -> "tab";
            case ' ' -> "space";
            default -> value < ' ' ? String.format("\\x%02x", value) : "'" + (char) value + "'";
        };
    }

    /** Fields of a first record, in quotes; of many the first ones. */
    static String fields(List<String> fields) {
        List<String> shown = new ArrayList<>();
        for (String field : fields.subList(0, Math.min(fields.size(), MAX_FIELDS))) {
            shown.add("'" + Printable.shortened(field, MAX_VALUE_CHARS) + "'");
        }
        int more = fields.size() - shown.size();
        return String.join(", ", shown) + (more == 0 ? "" : " and " + more + " more");
    }

    /** An encoded key, decoded: values of the key columns, separated by commas. */
    static String key(TableSchema schema, byte[] key) {
        ColumnBatch row = ColumnBatch.forColumns(schema.columns(), 1);
        new KeyCodec(schema).decode(key, 0, key.length, row, 0);
        List<String> values = new ArrayList<>();
        for (KeyColumn part : schema.key()) {
            Column column = schema.column(part.columnIndex());
            ByteBuilder text = new ByteBuilder(32);
            switch (row.column(part.columnIndex())) {
                case LongColumn longs ->
                        ValueFormatter.format(column.type(), longs.values()[0], text);
                case BytesColumn bytes ->
                        ValueFormatter.format(
                                column.type(),
                                bytes.data(),
                                bytes.offsets()[0],
                                bytes.offsets()[1],
                                text);
            }
            String value = new String(text.array(), 0, text.length(), StandardCharsets.UTF_8);
            values.add(
                    value.length() <= MAX_VALUE_CHARS
                            ? value
                            : value.substring(0, MAX_VALUE_CHARS) + "…");
        }
        return String.join(", ", values);
    }
}
