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

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Runs the INSERT, UPSERT, UPDATE or DELETE of one statement, which never sees what it writes and
 * stores nothing if a row is wrong. Rows of a DELETE, and of an UPDATE that sets columns of the
 * key, are all read before one is changed; those of others go to {@link StatementRows}.
 */
final class TableWrite implements RowSink {
    /** Most rows of a statement: some kinds keep them in memory, more are a job for a bulk load. */
    static final int MAX_ROWS = 1_000_000;

    private static final int BATCH_ROWS = 4096;

    private final Table table;
    private final Change change;
    private final List<Column> columns;
    private final List<CellWriter> cells;
    private final KeyCodec keys;

    /** Whether it sets columns of the key. */
    private final boolean movesKeys;

    /** Where a row has the table's columns as they are. */
    private final Source[] stored;

    /** Where it has them as they shall be. */
    private final Source[] written;

    /**
     * Where a row has the value of a column.
     *
     * @param value index of the value as Calcite knows it
     * @param exact if the column has a hidden field, the index of what is stored, or {@link #NONE};
     *     if that is NULL the value is taken
     */
    private record Source(int value, int exact) {
        static final int NONE = -1;
    }

    /** What a statement does to the table. */
    enum Change {
        INSERT,
        UPSERT,
        UPDATE,
        DELETE
    }

    /**
     * Of a table whose columns a row holds first. The hidden fields of {@link ExactFields} follow
     * them, without which rows are inserted, but not found.
     *
     * @param updated columns that UPDATE sets, to the values that follow all these in each row;
     *     behind them comes for each what {@link ExactCopies} has found of it, if it has anything
     * @param width values of a row
     */
    TableWrite(Table table, Change change, int[] updated, int width) {
        this.table = table;
        this.change = change;
        TableSchema schema = table.schema();
        this.columns = schema.columns().subList(0, schema.visibleColumnCount());
        this.cells = columns.stream().map(CellWriter::new).toList();
        this.keys = new KeyCodec(schema);
        ExactFields exactFields = new ExactFields(schema);
        boolean exact = width >= exactFields.fieldCount();
        if (!exact && (change == Change.UPDATE || change == Change.DELETE)) {
            throw PenstockException.internal(
                    "rows of " + schema.name() + " come without hidden fields");
        }
        this.stored =
                IntStream.range(0, columns.size())
                        .mapToObj(i ->
                                new Source(i, exact ? exactFields.hiddenField(i) : Source.NONE))
                        .toArray(Source[]::new);
        this.written = stored.clone();
        this.movesKeys =
                change == Change.UPDATE
                        && IntStream.of(updated)
                                .anyMatch(column ->
                                        IntStream.of(keys.columns())
                                                .anyMatch(key -> key == column));
        int copies = exactFields.fieldCount() + updated.length;
        for (int i = 0; i < updated.length; i++) {
            written[updated[i]] =
                    new Source(
                            exactFields.fieldCount() + i,
                            width > copies ? copies + i : Source.NONE);
        }
    }

    @Override
    public Enumerable<Object> write(Enumerable<@Nullable Object> rows, DataContext context) {
        Parameters parameters = new Parameters(context);
        long count =
                movesKeys
                        ? move(rows, parameters)
                        : change == Change.DELETE
                                ? delete(rows, parameters)
                                : store(rows, parameters);
        return Linq4j.singletonEnumerable(count);
    }

    private long store(Enumerable<@Nullable Object> rows, Parameters parameters) {
        boolean replacing = change != Change.INSERT;
        try (StatementRows target =
                new StatementRows(table, replacing, parameters::checkCancelled)) {
            long count =
                    each(
                            rows,
                            parameters,
                            values -> {
                                append(values, written, target.batch());
                                target.added();
                            });
            target.store();
            return count;
        }
    }

    private long move(Enumerable<@Nullable Object> rows, Parameters parameters) {
        List<ColumnBatch> before = new ArrayList<>();
        List<ColumnBatch> after = new ArrayList<>();
        long count =
                each(
                        rows,
                        parameters,
                        values -> {
                            add(values, stored, before);
                            add(values, written, after);
                        });
        Moves moves = new Moves(table.schema(), before, after);
        parameters.checkCancelled();
        ServerWaits.uninterrupted(() -> new KeyMoves(KeyMoves.Rows.of(table), moves).run());
        return count;
    }

    private long delete(Enumerable<@Nullable Object> rows, Parameters parameters) {
        List<ColumnBatch> deleted = new ArrayList<>();
        long count = each(rows, parameters, values -> add(values, stored, deleted));
        parameters.checkCancelled();
        ServerWaits.uninterrupted(() -> deleted.forEach(batch -> table.delete(keys(batch))));
        return count;
    }

    /** Reads all rows and counts them. */
    private static long each(
            Enumerable<@Nullable Object> rows,
            Parameters parameters,
            Consumer<@Nullable Object[]> take) {
        long count = 0;
        try (Enumerator<@Nullable Object> each = rows.enumerator()) {
            while (each.moveNext()) {
                if (count % BATCH_ROWS == 0) {
                    parameters.checkCancelled();
                }
                if (++count > MAX_ROWS) {
                    throw PenstockException.usage(
                            "a statement may change "
                                    + MAX_ROWS
                                    + " rows at most; use COPY for more");
                }
                take.accept(values(each.current()));
            }
        }
        return count;
    }

    private static @Nullable Object[] values(@Nullable Object row) {
        return row instanceof Object[] values ? values : new @Nullable Object[] {row};
    }

    private void add(@Nullable Object[] values, Source[] sources, List<ColumnBatch> batches) {
        if (batches.isEmpty() || batches.getLast().rowCount() == BATCH_ROWS) {
            batches.add(ColumnBatch.forColumns(columns, BATCH_ROWS));
        }
        append(values, sources, batches.getLast());
    }

    /**
     * Appends a row.
     *
     * @param sources where each column's value is
     */
    private void append(@Nullable Object[] values, Source[] sources, ColumnBatch batch) {
        int row = batch.rowCount();
        for (int i = 0; i < sources.length; i++) {
            cells.get(i).write(value(values, sources[i]), batch.column(i), row, BATCH_ROWS);
        }
        batch.setRowCount(row + 1);
    }

    private static @Nullable Object value(@Nullable Object[] values, Source source) {
        Object exact = source.exact() == Source.NONE ? null : values[source.exact()];
        return exact == null
                ? values[source.value()]
                : new ParameterValues.Stored(((Number) exact).longValue());
    }

    private List<byte[]> keys(ColumnBatch batch) {
        List<byte[]> encoded = new ArrayList<>(batch.rowCount());
        for (int row = 0; row < batch.rowCount(); row++) {
            encoded.add(keys.encode(batch, row));
        }
        return encoded;
    }
}
