package dev.penstock.kv.ingest;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.Printable;
import dev.penstock.convert.ValueFormatter;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.Column;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Keys for messages, printable and not long: {@code (l_orderkey=1, l_linenumber=2)}. */
final class KeyText {
    private static final int MAX_LENGTH = 200;

    private KeyText() {}

    static String of(TableSchema schema, byte[] key) {
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 1);
        new KeyCodec(schema).decode(key, 0, key.length, batch, 0);
        List<String> parts = new ArrayList<>();
        for (KeyColumn part : schema.key()) {
            Column column = schema.column(part.columnIndex());
            ByteBuilder text = new ByteBuilder(32);
            switch (batch.column(part.columnIndex())) {
                case LongColumn longs ->
                        ValueFormatter.format(column.type(), longs.values()[0], text);
                case BytesColumn bytes ->
                        ValueFormatter.format(
                                column.type(), bytes.data(), 0, bytes.offsets()[1], text);
            }
            parts.add(
                    column.name()
                            + "="
                            + new String(text.array(), 0, text.length(), StandardCharsets.UTF_8));
        }
        return Printable.shortened("(" + String.join(", ", parts) + ")", MAX_LENGTH);
    }
}
