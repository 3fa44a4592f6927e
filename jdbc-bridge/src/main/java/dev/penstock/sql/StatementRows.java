package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.Table;
import dev.penstock.kv.wire.BatchCodec;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;

/**
 * The rows that a statement stores. While they are few they wait in memory, and {@link #store}
 * writes them by one call of the table, region by region. From {@link #MAX_ROWS} or {@link
 * #MAX_BYTES} on they go to the regions as a load, and become visible together. Closed before
 * {@link #store}, nothing is stored. Owned by one thread.
 */
final class StatementRows implements AutoCloseable {
    /** Most rows that are stored without a load: a region takes as many in one call. */
    static final int MAX_ROWS = 4096;

    /** About the most bytes that wait in memory. */
    static final long MAX_BYTES = 16L << 20;

    /** Most rows of a chunk of a load: many, as each region gets its part of them. */
    private static final int CHUNK_ROWS = 1 << 16;

    /** Rows that a batch has room for before it grows. */
    private static final int FIRST_ROWS = 64;

    private final Table table;
    private final boolean replacing;
    private final Runnable checkCancelled;
    private final ColumnBatch batch;
    private long bytes;
    private @Nullable StatementLoad load;

    /**
     * Of a table.
     *
     * @param replacing whether rows replace those with equal keys; else such a key is an error
     * @param checkCancelled ends the statement if it was cancelled
     */
    StatementRows(Table table, boolean replacing, Runnable checkCancelled) {
        this.table = table;
        this.replacing = replacing;
        this.checkCancelled = checkCancelled;
        TableSchema schema = table.schema();
        this.batch =
                ColumnBatch.forColumns(
                        schema.columns().subList(0, schema.visibleColumnCount()), FIRST_ROWS);
    }

    /** Where the next row is appended; {@link #added} is to be called then. */
    ColumnBatch batch() {
        return batch;
    }

    void added() {
        bytes += BatchCodec.rowBytes(batch, batch.rowCount() - 1);
        if (bytes > MAX_BYTES || batch.rowCount() > (load == null ? MAX_ROWS : CHUNK_ROWS)) {
            send();
        }
    }

    private void send() {
        checkCancelled.run();
        ServerWaits.uninterrupted(this::sendBatch);
    }

    private void sendBatch() {
        StatementLoad running = load;
        if (running == null) {
            running = StatementLoad.begin(table, table.loadTarget(), policy());
            load = running;
        }
        running.send(batch);
        batch.clear();
        bytes = 0;
    }

    /** Row ids of a table without a key are new ones, so there is nothing to compare. */
    private DuplicatePolicy policy() {
        return replacing || table.schema().hiddenRowId()
                ? DuplicatePolicy.REPLACE
                : DuplicatePolicy.ERROR;
    }

    /** Stores all rows, unless the statement was cancelled. */
    void store() {
        checkCancelled.run();
        ServerWaits.uninterrupted(this::storeAll);
    }

    private void storeAll() {
        StatementLoad running = load;
        if (running == null) {
            storeFew();
            return;
        }
        if (batch.rowCount() > 0) {
            running.send(batch);
        }
        running.publish(checkCancelled);
    }

    private void storeFew() {
        if (replacing) {
            table.put(batch);
            return;
        }
        int present = table.insert(batch);
        if (present >= 0) {
            throw DuplicateKey.inserted(table.schema(), batch, present);
        }
    }

    @Override
    public void close() {
        StatementLoad running = load;
        if (running != null) {
            ServerWaits.uninterrupted(running::close);
        }
    }
}
