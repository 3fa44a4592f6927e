package dev.penstock.cli.render;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.convert.ColumnText;
import dev.penstock.kernel.CopyKernels;
import dev.penstock.kernel.SpecialBytes;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows as JSON objects, members in the order of the columns. Numbers (DECIMAL too, with all digits)
 * and BOOLEAN are JSON's own; other types, NaN and infinities are strings in the form that a load
 * reads.
 */
public final class JsonRows implements RowSink {
    private static final int MAX_BUFFER_BYTES = 1 << 20;
    private static final int QUOTES_BYTES = 2;
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

    /** How the text of a column's values becomes JSON. */
    private enum Form {
        /** As it is. */
        BARE,
        /** As it is if it is a number. */
        FLOATING,
        /** In quotes. */
        QUOTED,
        /** In quotes, with escapes if need be. */
        STRING
    }

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final ByteBuilder text = new ByteBuilder(1 << 16);
    private final OutputStream out;
    private final Layout layout;
    private final ColumnText[] texts;
    private final Form[] forms;

    /** In quotes, with a colon, and a comma before all but the first. */
    private final byte[][] names;

    /** Most bytes of a row without its strings, and slack. */
    private final int numberBytes;

    private long rowCount;
    private boolean finished;

    public JsonRows(TableSchema schema, int[] columns, Layout layout, OutputStream out) {
        this.out = out;
        this.layout = layout;
        this.forms = new Form[columns.length];
        this.names = new byte[columns.length][];
        List<ColumnType> types = new ArrayList<>();
        int bytes = CopyKernels.SLACK;
        for (int i = 0; i < columns.length; i++) {
            Column column = schema.column(columns[i]);
            byte[] name = column.name().getBytes(StandardCharsets.UTF_8);
            if (i > 0) {
                text.putByte(',');
            }
            putString(name, 0, name.length);
            text.putByte(':');
            names[i] = text.toByteArray();
            text.clear();
            forms[i] = form(column.type());
            types.add(column.type());
            bytes += names[i].length + ColumnText.MAX_NUMBER_BYTES + QUOTES_BYTES;
        }
        this.texts = ColumnText.of(types);
        this.numberBytes = bytes;
    }

    private static Form form(ColumnType type) {
        return switch (type) {
            case ColumnType.BooleanType _,
                    ColumnType.SmallIntType _,
                    ColumnType.IntegerType _,
                    ColumnType.BigIntType _,
                    ColumnType.DecimalType _ ->
                    Form.BARE;
            case ColumnType.RealType _, ColumnType.DoubleType _ -> Form.FLOATING;
            case ColumnType.DateType _,
                    ColumnType.TimeType _,
                    ColumnType.TimestampType _,
                    ColumnType.UuidType _ ->
                    Form.QUOTED;
            case ColumnType.CharType _, ColumnType.VarcharType _, ColumnType.VarbinaryType _ ->
                    Form.STRING;
        };
    }

    @Override
    public void rows(ColumnBatch batch) throws IOException {
        int rows = batch.rowCount();
        for (int from = 0; from < rows; from += ColumnText.WINDOW) {
            int count = Math.min(ColumnText.WINDOW, rows - from);
            for (int i = 0; i < texts.length; i++) {
                texts[i].take(batch.column(i), from, count);
            }
            for (int row = 0; row < count; row++) {
                put(rowCount++ > 0 ? layout.separator : layout.head);
                putRow(row);
                if (text.length() > MAX_BUFFER_BYTES) {
                    flush();
                }
            }
        }
        flush();
    }

    private void putRow(int row) {
        text.putByte('{');
        text.reserve(numberBytes);
        for (int i = 0; i < texts.length; i++) {
            putRaw(names[i], 0, names[i].length);
            ColumnText column = texts[i];
            if (!column.isValid(row)) {
                putRaw(NULL, 0, NULL.length);
                continue;
            }
            int from = column.start(row);
            int to = column.end(row);
            byte[] data = column.data();
            switch (forms[i]) {
                case BARE -> putRaw(data, from, to);
                case FLOATING -> {
                    if (isNumber(data, to)) {
                        putRaw(data, from, to);
                    } else {
                        putQuoted(data, from, to);
                    }
                }
                case QUOTED -> putQuoted(data, from, to);
                case STRING -> {
                    putString(data, from, to);
                    text.reserve(numberBytes);
                }
            }
        }
        text.putByte('}');
    }

    /** Whether the text of a floating-point value is none of NaN and the infinities. */
    private static boolean isNumber(byte[] text, int to) {
        return text[to - 1] >= '0' && text[to - 1] <= '9';
    }

    /** Into room that there is. */
    private void putRaw(byte[] data, int from, int to) {
        text.setLength(CopyKernels.text(data, from, to, text.array(), text.length()));
    }

    private void putQuoted(byte[] data, int from, int to) {
        text.putByte('"');
        putRaw(data, from, to);
        text.putByte('"');
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

    private void putString(byte[] utf8, int from, int to) {
        if (!SpecialBytes.needEscapes(utf8, from, to)) {
            text.reserve(to - from + QUOTES_BYTES + CopyKernels.SLACK);
            putQuoted(utf8, from, to);
            return;
        }
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
