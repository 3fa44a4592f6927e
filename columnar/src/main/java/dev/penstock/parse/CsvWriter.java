package dev.penstock.parse;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.convert.ValueFormatter;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes rows as CSV after RFC 4180, with LF as line end: fields are quoted where they must be,
 * NULL is the empty field and the empty string is {@code ""}. What it writes, {@link
 * dev.penstock.dialect.Dialect#csv} reads back to the same rows.
 *
 * <p>Text collects in a buffer of some 64 KiB and goes to the sink at the end of each call at the
 * latest. Owned by one thread.
 */
public final class CsvWriter {
    private static final int FLUSH_BYTES = 1 << 16;

    private static final boolean[] SPECIAL = new boolean[256];

    static {
        SPECIAL[','] = true;
        SPECIAL['"'] = true;
        SPECIAL['\n'] = true;
        SPECIAL['\r'] = true;
    }

    private final ColumnType[] types;
    private final List<String> names = new ArrayList<>();
    private final ByteSink out;
    private final ByteBuilder buffer = new ByteBuilder(FLUSH_BYTES + (FLUSH_BYTES >> 1));

    /** Writes the given columns of the table, in that order, to {@code out}. */
    public CsvWriter(TableSchema schema, int[] columns, ByteSink out) {
        this.out = out;
        this.types = new ColumnType[columns.length];
        for (int i = 0; i < columns.length; i++) {
            Column column = schema.column(columns[i]);
            types[i] = column.type();
            names.add(column.name());
        }
    }

    /** Writes the column names. */
    public void header() {
        for (int i = 0; i < names.size(); i++) {
            if (i > 0) {
                buffer.putByte(',');
            }
            byte[] name = names.get(i).getBytes(StandardCharsets.UTF_8);
            putText(name, 0, name.length);
        }
        buffer.putByte('\n');
        flush();
    }

    /** Writes all rows; the batch's columns are the projected ones, in projection order. */
    public void rows(ColumnBatch batch) {
        for (int row = 0; row < batch.rowCount(); row++) {
            for (int i = 0; i < types.length; i++) {
                if (i > 0) {
                    buffer.putByte(',');
                }
                putValue(batch, i, row);
            }
            buffer.putByte('\n');
            if (buffer.length() >= FLUSH_BYTES) {
                flush();
            }
        }
        flush();
    }

    private void putValue(ColumnBatch batch, int index, int row) {
        switch (batch.column(index)) {
            case LongColumn column -> {
                if (column.validity().isValid(row)) {
                    ValueFormatter.format(types[index], column.values()[row], buffer);
                }
            }
            case BytesColumn column -> {
                if (!column.validity().isValid(row)) {
                    return;
                }
                int from = column.offsets()[row];
                int to = column.offsets()[row + 1];
                ColumnType type = types[index];
                if (type instanceof ColumnType.DecimalType || type instanceof ColumnType.UuidType) {
                    ValueFormatter.format(type, column.data(), from, to, buffer);
                } else if (type instanceof ColumnType.VarbinaryType && to > from) {
                    ValueFormatter.format(type, column.data(), from, to, buffer);
                } else {
                    putText(column.data(), from, to);
                }
            }
        }
    }

    /** Copies text; if a byte turns up that needs quotes, starts again with quotes. */
    private void putText(byte[] data, int from, int to) {
        int at = buffer.reserve(to - from + 2);
        byte[] target = buffer.array();
        if (from == to) {
            target[at] = '"';
            target[at + 1] = '"';
            buffer.setLength(at + 2);
            return;
        }
        for (int i = from; i < to; i++) {
            byte b = data[i];
            if (SPECIAL[b & 0xFF]) {
                putQuoted(data, from, to);
                return;
            }
            target[at++] = b;
        }
        buffer.setLength(at);
    }

    private void putQuoted(byte[] data, int from, int to) {
        int at = buffer.reserve((int) Math.min(2L * (to - from) + 2, ByteBuilder.MAX_BYTES));
        byte[] target = buffer.array();
        target[at++] = '"';
        for (int i = from; i < to; i++) {
            target[at++] = data[i];
            if (data[i] == '"') {
                target[at++] = '"';
            }
        }
        target[at++] = '"';
        buffer.setLength(at);
    }

    private void flush() {
        out.write(buffer.array(), 0, buffer.length());
        buffer.clear();
    }
}
