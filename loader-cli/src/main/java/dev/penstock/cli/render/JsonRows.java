package dev.penstock.cli.render;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.convert.ValueFormatter;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.TableSchema;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Rows as JSON objects, members in the order of the columns. Numbers (DECIMAL too, with all digits)
 * and BOOLEAN are JSON's own; other types, NaN and infinities are strings in the form that a load
 * reads.
 */
public final class JsonRows implements RowSink {
    private static final int MAX_BUFFER_BYTES = 1 << 20;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** What stands between and around the objects. */
    public enum Layout {
        /** One object a line. */
        LINES("", "\n", "\n"),
        /** One object that holds all rows: {@code {"rows":[…]}}. */
        DOCUMENT("{\"rows\":[", ",\n", "]}\n"),
        /** Exactly one row as one object. */
        SINGLE("", "", "\n");

        private final String head;
        private final String separator;
        private final String tail;

        Layout(String head, String separator, String tail) {
            this.head = head;
            this.separator = separator;
            this.tail = tail;
        }
    }

    private final ByteBuilder text = new ByteBuilder(1 << 16);
    private final ByteBuilder value = new ByteBuilder(64);
    private final OutputStream out;
    private final Layout layout;
    private final ColumnType[] types;
    private final byte[][] names;
    private long rowCount;
    private boolean finished;

    public JsonRows(TableSchema schema, int[] columns, Layout layout, OutputStream out) {
        this.out = out;
        this.layout = layout;
        this.types = new ColumnType[columns.length];
        this.names = new byte[columns.length][];
        for (int i = 0; i < columns.length; i++) {
            Column column = schema.column(columns[i]);
            byte[] name = column.name().getBytes(StandardCharsets.UTF_8);
            putString(name, 0, name.length);
            text.putByte(':');
            names[i] = text.toByteArray();
            text.clear();
            types[i] = column.type();
        }
    }

    @Override
    public void rows(ColumnBatch batch) throws IOException {
        for (int row = 0; row < batch.rowCount(); row++) {
            put(rowCount++ > 0 ? layout.separator : layout.head);
            text.putByte('{');
            for (int i = 0; i < types.length; i++) {
                if (i > 0) {
                    text.putByte(',');
                }
                text.write(names[i], 0, names[i].length);
                putValue(batch, i, row);
            }
            text.putByte('}');
            if (text.length() > MAX_BUFFER_BYTES) {
                flush();
            }
        }
        flush();
    }

    @Override
    public void finish() throws IOException {
        if (rowCount == 0) {
            put(layout.head);
        }
        if (layout != Layout.LINES || rowCount > 0) {
            put(layout.tail);
        }
        flush();
        finished = true;
    }

    /** Ends the line of the last row at least, so that an error after it has one of its own. */
    @Override
    public void close() throws IOException {
        if (!finished && rowCount > 0) {
            out.write('\n');
        }
    }

    private void flush() throws IOException {
        out.write(text.array(), 0, text.length());
        text.clear();
    }

    private void put(String ascii) {
        byte[] bytes = ascii.getBytes(StandardCharsets.US_ASCII);
        text.write(bytes, 0, bytes.length);
    }

    private void putValue(ColumnBatch batch, int index, int row) {
        if (!batch.column(index).validity().isValid(row)) {
            put("null");
            return;
        }
        value.clear();
        boolean bare =
                switch (batch.column(index)) {
                    case LongColumn longs -> {
                        long number = longs.values()[row];
                        ValueFormatter.format(types[index], number, value);
                        yield isBare(types[index], number);
                    }
                    case BytesColumn bytes -> {
                        int[] offsets = bytes.offsets();
                        ValueFormatter.format(
                                types[index], bytes.data(), offsets[row], offsets[row + 1], value);
                        yield types[index] instanceof ColumnType.DecimalType;
                    }
                };
        if (bare) {
            text.write(value.array(), 0, value.length());
        } else {
            putString(value.array(), 0, value.length());
        }
    }

    /** Whether the text of the value is a JSON value as it stands. */
    private static boolean isBare(ColumnType type, long number) {
        return switch (type) {
            case ColumnType.BooleanType _,
                    ColumnType.SmallIntType _,
                    ColumnType.IntegerType _,
                    ColumnType.BigIntType _,
                    ColumnType.DecimalType _ ->
                    true;
            case ColumnType.RealType _, ColumnType.DoubleType _ ->
                    Double.isFinite(FloatOrder.fromOrdered(number));
            case ColumnType.DateType _,
                    ColumnType.TimeType _,
                    ColumnType.TimestampType _,
                    ColumnType.CharType _,
                    ColumnType.VarcharType _,
                    ColumnType.VarbinaryType _,
                    ColumnType.UuidType _ ->
                    false;
        };
    }

    private void putString(byte[] utf8, int from, int to) {
        text.putByte('"');
        int start = from;
        for (int i = from; i < to; i++) {
            byte b = utf8[i];
            if (b == '"' || b == '\\' || (b >= 0 && b < 0x20)) {
                text.write(utf8, start, i - start);
                putEscape(b);
                start = i + 1;
            }
        }
        text.write(utf8, start, to - start);
        text.putByte('"');
    }

    private void putEscape(byte b) {
        text.putByte('\\');
        switch (b) {
            case '"', '\\' -> text.putByte(b);
            case '\n' -> text.putByte('n');
            case '\r' -> text.putByte('r');
            case '\t' -> text.putByte('t');
            default -> {
                put("u00");
                text.putByte(HEX[b >> 4]);
                text.putByte(HEX[b & 15]);
            }
        }
    }
}
