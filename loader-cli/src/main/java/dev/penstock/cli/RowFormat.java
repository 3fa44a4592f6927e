package dev.penstock.cli;

import dev.penstock.cli.arrow.ArrowRows;
import dev.penstock.cli.render.CsvRows;
import dev.penstock.cli.render.JsonRows;
import dev.penstock.cli.render.RowSink;
import dev.penstock.schema.TableSchema;

import java.io.OutputStream;

/** How rows are printed. */
enum RowFormat {
    CSV {
        @Override
        RowSink open(TableSchema schema, int[] columns, OutputStream out) {
            return new CsvRows(schema, columns, out);
        }
    },
    JSONL {
        @Override
        RowSink open(TableSchema schema, int[] columns, OutputStream out) {
            return new JsonRows(schema, columns, JsonRows.Layout.LINES, out);
        }
    },
    ARROW {
        @Override
        RowSink open(TableSchema schema, int[] columns, OutputStream out) {
            return new ArrowRows(schema, columns, out);
        }
    };

    abstract RowSink open(TableSchema schema, int[] columns, OutputStream out);
}
