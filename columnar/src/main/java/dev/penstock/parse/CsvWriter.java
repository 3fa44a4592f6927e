package dev.penstock.parse;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteSink;
import dev.penstock.schema.TableSchema;

/**
 * Writes rows as CSV after RFC 4180 (line ends are LF): fields are quoted where they must be, NULL is
 * the empty field and the empty string is {@code ""}.
 */
public final class CsvWriter {
    /** Writes the given columns of the table, in that order, to {@code out}. */
    public CsvWriter(TableSchema schema, int[] columns, ByteSink out) {}

    /** Writes the column names. */
    public void header() {}

    /** Writes all rows; the batch's columns are the projected ones, in projection order. */
    public void rows(ColumnBatch batch) {}
}
