package dev.penstock.cli.render;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.parse.CsvWriter;
import dev.penstock.schema.TableSchema;

import java.io.IOException;
import java.io.OutputStream;

/** Rows as CSV (RFC 4180) with a header. */
public final class CsvRows implements RowSink {
    private final ByteBuilder text = new ByteBuilder(1 << 16);
    private final CsvWriter writer;
    private final OutputStream out;

    public CsvRows(TableSchema schema, int[] columns, OutputStream out) {
        this.writer = new CsvWriter(schema, columns, text);
        this.out = out;
        writer.header();
    }

    @Override
    public void rows(ColumnBatch batch) throws IOException {
        writer.rows(batch);
        flush();
    }

    @Override
    public void finish() throws IOException {
        flush();
    }

    /** CSV has no end by which one could see whether all rows are there. */
    @Override
    public void close() {}

    private void flush() throws IOException {
        out.write(text.array(), 0, text.length());
        text.clear();
    }
}
