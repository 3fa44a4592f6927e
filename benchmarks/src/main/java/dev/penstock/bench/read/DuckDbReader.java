package dev.penstock.bench.read;

import dev.penstock.cli.generate.TpchTable;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;

/** DuckDB in this process: its own table in a database file, in the order of the input. */
final class DuckDbReader implements Reader {
    private final Connection connection;

    private DuckDbReader(Connection connection) {
        this.connection = connection;
    }

    /** Opens the database file, loading the text first if there is none. */
    static DuckDbReader open(Path database, Path file, int threads) throws SQLException {
        boolean known = Files.exists(database);
        Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET threads = " + threads);
            if (!known) {
                statement.execute(createTable(file));
                statement.execute("CHECKPOINT");
            }
        }
        return new DuckDbReader(connection);
    }

    private static String createTable(Path file) {
        TableSchema schema = Ddl.parseCreateTable(TpchTable.LINEITEM.ddl());
        String columns =
                schema.columns().stream()
                        .map(column -> "'" + column.name() + "': '" + column.type().sql() + "'")
                        .collect(Collectors.joining(", "));
        // The delimiter after the last field makes one more, empty field.
        return "CREATE TABLE lineitem AS SELECT * EXCLUDE (after_last) FROM read_csv('"
                + file.toString().replace("'", "''")
                + "', delim = '|', quote = '', escape = '', header = false, auto_detect = false,"
                + " columns = {"
                + columns
                + ", 'after_last': 'VARCHAR'})";
    }

    @Override
    public String name() {
        return "duckdb";
    }

    @Override
    public String run(Query query) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query.sql())) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    text.append(rows.getString(i)).append(i < columns ? ',' : '\n');
                }
            }
        }
        return text.toString();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
