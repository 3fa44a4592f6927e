package dev.penstock.cli.render;

import dev.penstock.batch.ColumnBatch;

/**
 * Appends a format's text of some rows, which depends on no others, to a buffer. Owned by one
 * thread at a time.
 */
interface BatchText {
    /**
     * Appends rows [from, to) of a batch.
     *
     * @param first whether no row comes before them
     */
    void write(ColumnBatch batch, int from, int to, boolean first);
}
