package dev.penstock.cli.render;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.convert.ColumnText;
import dev.penstock.kernel.CopyKernels;
import dev.penstock.kernel.SpecialBytes;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The objects of {@link JsonRows}, and what is before each. */
final class JsonText implements BatchText {
    private static final int QUOTES_BYTES = 2;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** How the escape of a control character goes on after the backslash. */
    private static final byte[] CONTROL = "u00".getBytes(StandardCharsets.US_ASCII);

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

    private final ByteBuilder text;
    private final byte[] head;
    private final byte[] separator;
    private final ColumnText[] texts;
    private final Form[] forms;

    /** In quotes, with a colon, and a comma before all but the first. */
    private final byte[][] names;

    /** Most bytes of a row without its strings, and slack. */
    private final int numberBytes;

    JsonText(TableSchema schema, int[] columns, JsonRows.Layout layout, ByteBuilder text) {
        this.text = text;
        this.head = layout.head.getBytes(StandardCharsets.US_ASCII);
        this.separator = layout.separator.getBytes(StandardCharsets.US_ASCII);
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
    public void write(ColumnBatch batch, int from, int to, boolean first) {
        boolean begins = first;
        int window = ColumnText.window(texts.length);
        for (int start = from; start < to; start += window) {
            int count = Math.min(window, to - start);
            for (int i = 0; i < texts.length; i++) {
                texts[i].take(batch.column(i), start, count);
            }
            for (int row = 0; row < count; row++) {
                byte[] before = begins ? head : separator;
                text.write(before, 0, before.length);
                putRow(row);
                begins = false;
            }
        }
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
                text.write(CONTROL, 0, CONTROL.length);
                text.putByte(HEX[b >> 4]);
                text.putByte(HEX[b & 15]);
            }
        }
    }
}
