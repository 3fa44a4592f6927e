package dev.penstock.convert;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.Column;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys as text for messages, {@code l_orderkey=1, l_linenumber=2}: whole, and not made printable.
 */
public final class KeyFormatter {
    private KeyFormatter() {}

    /**
     * The key of one row.
     *
     * @param batch all of the table's columns in table order
     */
    public static String format(TableSchema schema, ColumnBatch batch, int row) {
        List<String> parts = new ArrayList<>();
        for (KeyColumn part : schema.key()) {
            Column column = schema.column(part.columnIndex());
            ByteBuilder text = new ByteBuilder(32);
            switch (batch.column(part.columnIndex())) {
                case LongColumn longs ->
                        ValueFormatter.format(column.type(), longs.values()[row], text);
                case BytesColumn strings ->
                        ValueFormatter.format(
                                column.type(),
                                strings.data(),
                                strings.offsets()[row],
                                strings.offsets()[row + 1],
                                text);
            }
            String value = new String(text.array(), 0, text.length(), StandardCharsets.UTF_8);
            parts.add(column.name() + "=" + value);
        }
        return String.join(", ", parts);
    }

    /** A key as a {@link KeyCodec} writes it. */
    public static String format(TableSchema schema, byte[] key) {
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 1);
        new KeyCodec(schema).decode(key, 0, key.length, batch, 0);
        return format(schema, batch, 0);
    }
}
