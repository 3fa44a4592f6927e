package dev.penstock.cli.render;

import dev.penstock.batch.ColumnBatch;

import java.io.IOException;

/** Where rows are shown: a format over an output stream that stays the caller's. */
public interface RowSink extends AutoCloseable {
    /** Writes all rows of a batch with the projected columns; keeps no reference to it. */
    void rows(ColumnBatch batch) throws IOException;

    /** Writes all rows of a source. */
    default void all(BatchSource source) throws IOException {
        ColumnBatch batch = source.newBatch();
        while (source.next(batch)) {
            rows(batch);
        }
    }

    /** Writes what the format needs after the last row; once, if there were no rows, too. */
    void finish() throws IOException;

    /**
     * Ends the sink. Without {@link #finish} the rows are not all of them, which whoever reads them
     * can see, as far as the format allows.
     */
    @Override
    void close() throws IOException;
}
