package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.Table;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs the INSERT, UPSERT, UPDATE or DELETE of one statement: reads all its rows first, so that a
 * statement never sees what it writes and stores nothing if a row is wrong, and then writes them.
 * Rows of one region become visible together.
 */
final class TableWrite implements RowSink {
    /** Most rows of a statement: they are kept in memory, more are a job for a bulk load. */
    static final int MAX_ROWS = 1_000_000;

    private static final int BATCH_ROWS = 4096;

    private final Table table;
    private final Change change;
    private final int[] updated;

    /** What a statement does to the table. */
    enum Change {
        INSERT,
        UPSERT,
        UPDATE,
        DELETE
    }

    /**
     * Of a table whose columns a row holds first.
     *
     * @param updated columns that UPDATE sets, to the values that follow the table's own in each
     *     row
     */
    TableWrite(Table table, Change change, int[] updated) {
        this.table = table;
        this.change = change;
        this.updated = updated;
    }

    @Override
    public Enumerable<Object> write(Enumerable<@Nullable Object> rows, DataContext context) {
        Parameters parameters = new Parameters(context);
        List<ColumnBatch> batches = new ArrayList<>();
        List<byte[]> oldKeys = new ArrayList<>();
        long count = 0;
        try (Enumerator<@Nullable Object> each = rows.enumerator()) {
            while (each.moveNext()) {
                if (count % BATCH_ROWS == 0) {
                    parameters.checkCancelled();
                    batches.add(ColumnBatch.forColumns(columns(), BATCH_ROWS));
                }
                add(values(each.current()), batches.getLast(), oldKeys);
                if (++count > MAX_ROWS) {
                    throw PenstockException.usage(
                            "a statement may change "
                                    + MAX_ROWS
                                    + " rows at most; use COPY for more");
                }
            }
        }
        apply(batches, oldKeys);
        return Linq4j.singletonEnumerable(count);
    }

    private List<Column> columns() {
        TableSchema schema = table.schema();
        return schema.columns().subList(0, schema.visibleColumnCount());
    }

    private static @Nullable Object[] values(@Nullable Object row) {
        return row instanceof Object[] values ? values : new @Nullable Object[] {row};
    }

    private void add(@Nullable Object[] values, ColumnBatch batch, List<byte[]> oldKeys) {
        List<Column> columns = columns();
        int row = batch.rowCount();
        if (change == Change.UPDATE) {
            oldKeys.add(key(values));
            for (int i = 0; i < updated.length; i++) {
                values[updated[i]] = values[columns.size() + i];
            }
        }
        for (int i = 0; i < columns.size(); i++) {
            new CellWriter(columns.get(i)).write(values[i], batch.column(i), row, BATCH_ROWS);
        }
        batch.setRowCount(row + 1);
    }

    private byte[] key(@Nullable Object[] values) {
        ColumnBatch one = ColumnBatch.forColumns(columns(), 1);
        for (int i = 0; i < columns().size(); i++) {
            new CellWriter(columns().get(i)).write(values[i], one.column(i), 0, 1);
        }
        one.setRowCount(1);
        return new KeyCodec(table.schema()).encode(one, 0);
    }

    private void apply(List<ColumnBatch> batches, List<byte[]> oldKeys) {
        switch (change) {
            case INSERT -> {
                if (!table.schema().hiddenRowId()) {
                    checkNew(batches);
                }
                batches.forEach(table::put);
            }
            case UPSERT -> batches.forEach(table::put);
            case UPDATE -> {
                Set<ByteBuffer> gone = new HashSet<>();
                oldKeys.forEach(key -> gone.add(ByteBuffer.wrap(key)));
                batches.forEach(
                        batch -> keys(batch).forEach(key -> gone.remove(ByteBuffer.wrap(key))));
                batches.forEach(table::put);
                table.delete(gone.stream().map(ByteBuffer::array).toList());
            }
            case DELETE -> batches.forEach(batch -> table.delete(keys(batch)));
        }
    }

    private void checkNew(List<ColumnBatch> batches) {
        Set<ByteBuffer> seen = new HashSet<>();
        for (ColumnBatch batch : batches) {
            for (byte[] key : keys(batch)) {
                if (!seen.add(ByteBuffer.wrap(key)) || table.get(key).isPresent()) {
                    throw new DuplicateKey(table.schema().name());
                }
            }
        }
    }

    private List<byte[]> keys(ColumnBatch batch) {
        KeyCodec codec = new KeyCodec(table.schema());
        List<byte[]> keys = new ArrayList<>(batch.rowCount());
        for (int row = 0; row < batch.rowCount(); row++) {
            keys.add(codec.encode(batch, row));
        }
        return keys;
    }
}
