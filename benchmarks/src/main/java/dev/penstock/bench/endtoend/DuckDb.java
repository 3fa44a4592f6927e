package dev.penstock.bench.endtoend;

import dev.penstock.schema.Column;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;

/**
 * DuckDB as a library: a database file, {@code read_csv} with the columns given (nothing is
 * guessed), a checkpoint at the end, so that the rows are durable in the file as Penstock's are.
 *
 * <p>Without {@code ordered} DuckDB keeps the rows in the order they were read; with it they are
 * sorted by the table's key, which Penstock always does.
 */
final class DuckDb implements Contender {
    private final Workload workload;
    private final boolean ordered;

    DuckDb(Workload workload, boolean ordered) {
        this.workload = workload;
        this.ordered = ordered;
    }

    @Override
    public String name() {
        return ordered ? "duckdb-ordered" : "duckdb";
    }

    @Override
    public String description() {
        return "open a database file, CREATE TABLE AS read_csv"
                + (ordered ? " ORDER BY the key" : "")
                + ", CHECKPOINT, close; within a warm JVM";
    }

    @Override
    public Loaded load(Path folder) throws SQLException {
        String url = "jdbc:duckdb:" + folder.resolve("lineitem.duckdb");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("SET threads = " + workload.threads());
            statement.execute("SET preserve_insertion_order = false");
            statement.execute(createTable());
            statement.execute("CHECKPOINT");
            try (ResultSet count = statement.executeQuery("SELECT count(*) FROM lineitem")) {
                count.next();
                return new Loaded(count.getLong(1));
            }
        }
    }

    private String createTable() {
        String columns =
                workload.schema().columns().stream()
                        .map(column -> "'" + column.name() + "': '" + column.type().sql() + "'")
                        .collect(Collectors.joining(", "));
        String key =
                workload.schema().key().stream()
                        .map(part -> workload.schema().column(part.columnIndex()))
                        .map(Column::name)
                        .collect(Collectors.joining(", "));
        // The delimiter after the last field makes one more, empty field.
        return "CREATE TABLE lineitem AS SELECT * EXCLUDE (after_last) FROM read_csv('"
                + workload.file().toString().replace("'", "''")
                + "', delim = '|', quote = '', escape = '', header = false, auto_detect = false,"
                + " columns = {"
                + columns
                + ", 'after_last': 'VARCHAR'})"
                + (ordered ? " ORDER BY " + key : "");
    }
}
