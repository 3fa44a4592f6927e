package dev.penstock.parse;

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

/**
 * Writes rows as CSV after RFC 4180, with LF as line end: fields are quoted where they must be,
 * NULL is the empty field and the empty string is {@code ""}. What it writes, {@link
 * dev.penstock.dialect.Dialect#csv} reads back to the same rows.
 *
 * <p>Owned by one thread, as is the buffer that it appends to.
 */
public final class CsvWriter {
    private final ColumnText[] texts;

    /** Most bytes of a record without its strings, and slack. */
    private final int numberBytes;

    private final List<String> names = new ArrayList<>();
    private final ByteBuilder buffer;

    /** Appends the given columns of the table, in that order, to {@code out}. */
    public CsvWriter(TableSchema schema, int[] columns, ByteBuilder out) {
        this.buffer = out;
        List<ColumnType> types = new ArrayList<>();
        for (int index : columns) {
            Column column = schema.column(index);
            types.add(column.type());
            names.add(column.name());
        }
        this.texts = ColumnText.of(types);
        this.numberBytes = columns.length * (ColumnText.MAX_NUMBER_BYTES + 1) + CopyKernels.SLACK;
    }

    /** Writes the column names. */
    public void header() {
        for (int i = 0; i < names.size(); i++) {
            if (i > 0) {
                buffer.putByte(',');
            }
            byte[] name = names.get(i).getBytes(StandardCharsets.UTF_8);
            int at = buffer.reserve(maxBytes(name.length) + CopyKernels.SLACK);
            buffer.setLength(putString(name, 0, name.length, buffer.array(), at));
        }
        buffer.putByte('\n');
    }

    /** Writes all rows; the batch's columns are the projected ones, in projection order. */
    public void rows(ColumnBatch batch) {
        rows(batch, 0, batch.rowCount());
    }

    /** Writes rows [from, to). */
    public void rows(ColumnBatch batch, int from, int to) {
        int window = ColumnText.window(texts.length);
        for (int first = from; first < to; first += window) {
            int count = Math.min(window, to - first);
            for (int i = 0; i < texts.length; i++) {
                texts[i].take(batch.column(i), first, count);
            }
            for (int row = 0; row < count; row++) {
                putRow(row);
            }
        }
    }

    private void putRow(int row) {
        int at = buffer.reserve(numberBytes);
        byte[] target = buffer.array();
        for (ColumnText text : texts) {
            if (text.isValid(row)) {
                int from = text.start(row);
                int to = text.end(row);
                if (text.isString()) {
                    int room = maxBytes(to - from) + numberBytes;
                    if (room > target.length - at) {
                        buffer.setLength(at);
                        buffer.reserve(room);
                        target = buffer.array();
                    }
                    at = putString(text.data(), from, to, target, at);
                } else {
                    at = CopyKernels.text(text.data(), from, to, target, at);
                }
            }
            target[at++] = ',';
        }
        target[at - 1] = '\n';
        buffer.setLength(at);
    }

    /** Most bytes of a string in quotes. */
    private static int maxBytes(int length) {
        return (int) Math.min(2L * length + 2, ByteBuilder.MAX_BYTES);
    }

    private static int putString(byte[] data, int from, int to, byte[] target, int at) {
        return from == to || SpecialBytes.needQuotes(data, from, to)
                ? putQuoted(data, from, to, target, at)
                : CopyKernels.text(data, from, to, target, at);
    }

    private static int putQuoted(byte[] data, int from, int to, byte[] target, int start) {
        int at = start;
        target[at++] = '"';
        for (int i = from; i < to; i++) {
            target[at++] = data[i];
            if (data[i] == '"') {
                target[at++] = '"';
            }
        }
        target[at++] = '"';
        return at;
    }
}
