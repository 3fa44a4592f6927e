package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.client.RowWriter;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * {@code INSERT INTO t [(columns)] VALUES (?, ...)} or the same UPSERT for many rows of parameters:
 * they become column blocks, and each region is asked and written to once for each block instead of
 * once for each row. Statements of another form are not for this class.
 */
public final class BatchInsert {
    /** Rows that travel together. */
    public static final int BLOCK_ROWS = RowWriter.MAX_ROWS;

    private static final int ABSENT = -1;

    private final Table table;
    private final boolean replacing;
    private final List<Column> columns;
    private final CellWriter[] cells;
    private final ParameterValues[] values;

    /** For each column of the table the parameter that it gets, or {@link #ABSENT} for NULL. */
    private final int[] parameters;

    /** Parameters of the statement. */
    public int parameterCount() {
        return (int) Arrays.stream(parameters).filter(index -> index != ABSENT).count();
    }

    /** How many rows were stored before one that could not be, and why. */
    public record Outcome(int stored, @Nullable RuntimeException failure) {}

    private BatchInsert(Table table, boolean replacing, int[] parameters) {
        this.table = table;
        this.replacing = replacing;
        TableSchema schema = table.schema();
        this.columns = schema.columns().subList(0, schema.visibleColumnCount());
        this.cells = columns.stream().map(CellWriter::new).toArray(CellWriter[]::new);
        this.values = columns.stream().map(ParameterValues::new).toArray(ParameterValues[]::new);
        this.parameters = parameters;
    }

    /** Of a statement that can be prepared; null if it has another form. */
    public static @Nullable BatchInsert of(Penstock store, String sql) {
        if (!(parse(sql) instanceof SqlInsert insert)
                || !(insert.getTargetTable() instanceof SqlIdentifier name)
                || !(insert.getSource() instanceof SqlBasicCall rows)
                || rows.getKind() != SqlKind.VALUES
                || rows.operandCount() != 1
                || !(rows.operand(0) instanceof SqlBasicCall row)) {
            return null;
        }
        Table table = store.findTable(name.names.getLast()).orElse(null);
        int[] parameters =
                table == null
                        ? null
                        : parameters(
                                table.schema(), insert.getTargetColumnList(), row.getOperandList());
        return table == null || parameters == null
                ? null
                : new BatchInsert(
                        table,
                        name.names.getFirst().equals(SqlEngine.REPLACING_SCHEMA),
                        parameters);
    }

    private static @Nullable SqlNode parse(String sql) {
        SqlParser.Config config =
                SqlParser.config()
                        .withParserFactory(StoreParser.FACTORY)
                        .withUnquotedCasing(Casing.UNCHANGED)
                        .withQuotedCasing(Casing.UNCHANGED)
                        .withConformance(SqlConformanceEnum.LENIENT);
        try {
            return SqlParser.create(sql, config).parseStmt();
        } catch (SqlParseException e) {
            // Calcite's own preparation says what is wrong.
            return null;
        }
    }

    private static int @Nullable [] parameters(
            TableSchema schema, @Nullable SqlNodeList named, List<SqlNode> row) {
        int[] parameters = new int[schema.visibleColumnCount()];
        Arrays.fill(parameters, ABSENT);
        if (row.size() != (named == null ? parameters.length : named.size())) {
            return null;
        }
        for (int i = 0; i < row.size(); i++) {
            if (!(row.get(i) instanceof SqlDynamicParam parameter)) {
                return null;
            }
            int column = i;
            if (named != null) {
                column =
                        named.get(i) instanceof SqlIdentifier name && name.isSimple()
                                ? indexOf(schema, name.getSimple())
                                : ABSENT;
            }
            if (column == ABSENT || parameters[column] != ABSENT) {
                return null;
            }
            parameters[column] = parameter.getIndex();
        }
        return parameters;
    }

    /** Hidden columns, which come last, have no name here. */
    private static int indexOf(TableSchema schema, String name) {
        int column = schema.indexOf(name);
        return column < schema.visibleColumnCount() ? column : ABSENT;
    }

    /**
     * Stores rows in their order, up to the first that cannot be stored.
     *
     * @param rows values of all parameters
     * @param cancelled asked before each block
     */
    public Outcome run(List<@Nullable Object[]> rows, BooleanSupplier cancelled) {
        for (int from = 0; from < rows.size(); from += BLOCK_ROWS) {
            if (cancelled.getAsBoolean()) {
                return new Outcome(from, new StatementCancelled());
            }
            int to = Math.min(rows.size(), from + BLOCK_ROWS);
            Outcome block = runBlock(rows.subList(from, to));
            if (block.failure() != null) {
                return new Outcome(from + block.stored(), block.failure());
            }
        }
        return new Outcome(rows.size(), null);
    }

    private Outcome runBlock(List<@Nullable Object[]> rows) {
        try {
            return put(rows);
        } catch (RuntimeException e) {
            return new Outcome(0, e);
        }
    }

    private Outcome put(List<@Nullable Object[]> rows) {
        ColumnBatch batch = ColumnBatch.forColumns(columns, rows.size());
        RuntimeException failure = fill(batch, rows);
        if (failure != null) {
            batch = firstOf(rows, batch.rowCount());
        }
        if (replacing) {
            table.put(batch);
            return new Outcome(batch.rowCount(), failure);
        }
        int duplicate = table.insert(batch);
        while (duplicate >= 0) {
            failure = DuplicateKey.inserted(table.schema(), batch, duplicate);
            batch = firstOf(rows, duplicate);
            duplicate = table.insert(batch);
        }
        return new Outcome(batch.rowCount(), failure);
    }

    private ColumnBatch firstOf(List<@Nullable Object[]> rows, int count) {
        ColumnBatch batch = ColumnBatch.forColumns(columns, Math.max(1, count));
        fill(batch, rows.subList(0, count));
        return batch;
    }

    /** Fills a batch up to the first row that cannot be stored, and says why that is. */
    private @Nullable RuntimeException fill(ColumnBatch batch, List<@Nullable Object[]> rows) {
        for (int row = 0; row < rows.size(); row++) {
            @Nullable Object[] given = rows.get(row);
            try {
                for (int i = 0; i < parameters.length; i++) {
                    Object value =
                            parameters[i] == ABSENT ? null : values[i].of(given[parameters[i]]);
                    cells[i].write(value, batch.column(i), row, rows.size());
                }
            } catch (PenstockException | NullValue | ArithmeticException e) {
                batch.setRowCount(row);
                return e;
            }
            batch.setRowCount(row + 1);
        }
        return null;
    }
}
