package dev.penstock.cli.generate;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;

/** A table that can be written as text: the same bytes every time, with any number of threads. */
public sealed interface TableWriter permits TpchWriter, WideWriter {
    /** The table's name in SQL. */
    String tableName();

    /** Its {@code CREATE TABLE} statement. */
    String ddl();

    /** The name a file of it has if nobody says otherwise. */
    String fileName();

    /**
     * Writes the whole table.
     *
     * @param progress told of the bytes written so far
     */
    Written writeTo(OutputStream out, LongConsumer progress) throws IOException;

    /** What was written; a line with the names of the columns is no row. */
    record Written(long rows, long bytes) {}
}
