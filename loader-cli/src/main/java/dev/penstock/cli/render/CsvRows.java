package dev.penstock.cli.render;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.parse.CsvWriter;
import dev.penstock.schema.TableSchema;

import java.io.IOException;
import java.io.OutputStream;

/** Rows as CSV (RFC 4180) with a header. */
public final class CsvRows implements RowSink {
    private final TableSchema schema;
    private final int[] columns;
    private final TextRows rows;
    private final OutputStream out;

    public CsvRows(TableSchema schema, int[] columns, OutputStream out) {
        this.schema = schema;
        this.columns = columns;
        this.rows = new TextRows(this::format, columns.length, out);
        this.out = out;
    }

    private BatchText format(ByteBuilder text) {
        CsvWriter writer = new CsvWriter(schema, columns, text);
        return (batch, from, to, first) -> {
            if (first) {
                writer.header();
            }
            writer.rows(batch, from, to);
        };
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
            ByteBuilder text = new ByteBuilder(64);
            new CsvWriter(schema, columns, text).header();
            out.write(text.array(), 0, text.length());
        }
    }

    /** CSV has no end by which one could see whether all rows are there. */
    @Override
    public void close() {}
}
