package dev.penstock.cli.render;

import dev.penstock.batch.ColumnBatch;
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
    /** What stands between and around the objects. */
    public enum Layout {
        /** One object a line. */
        LINES("", "\n", "\n"),
        /** One object that holds all rows: {@code {"rows":[…]}}. */
        DOCUMENT("{\"rows\":[", ",\n", "]}\n"),
        /** Exactly one row as one object. */
        SINGLE("", "", "\n");

        final String head;
        final String separator;
        final String tail;

        Layout(String head, String separator, String tail) {
            this.head = head;
            this.separator = separator;
            this.tail = tail;
        }
    }

    /** Quotes around a name and a value, a colon and a comma. */
    private static final int PUNCTUATION_BYTES = 6;

    private final TextRows rows;
    private final OutputStream out;
    private final Layout layout;
    private boolean finished;

    public JsonRows(TableSchema schema, int[] columns, Layout layout, OutputStream out) {
        this.rows =
                new TextRows(
                        text -> new JsonText(schema, columns, layout, text),
                        nameBytes(schema, columns),
                        out);
        this.layout = layout;
        this.out = out;
    }

    private static int nameBytes(TableSchema schema, int[] columns) {
        int bytes = 0;
        for (int column : columns) {
            bytes += schema.column(column).name().length() + PUNCTUATION_BYTES;
        }
        return bytes;
    }

    @Override
    public void rows(ColumnBatch batch) throws IOException {
        rows.rows(batch);
    }

    @Override
    public void all(BatchSource source) throws IOException {
        rows.all(source);
    }

    @Override
    public void finish() throws IOException {
        if (rows.rowCount() == 0) {
            put(layout.head);
        }
        if (layout != Layout.LINES || rows.rowCount() > 0) {
            put(layout.tail);
        }
        finished = true;
    }

    private void put(String ascii) throws IOException {
        out.write(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /** Ends the line of the last row at least, so that an error after it has one of its own. */
    @Override
    public void close() throws IOException {
        if (!finished && rows.rowCount() > 0) {
            out.write('\n');
        }
    }
}
