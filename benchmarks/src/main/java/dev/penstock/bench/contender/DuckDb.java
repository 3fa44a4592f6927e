package dev.penstock.bench.contender;

import dev.penstock.bench.machine.CpuTime;
import dev.penstock.schema.Column;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * DuckDB as a library: a database file, {@code read_csv} with the columns given (nothing is
 * guessed), a checkpoint at the end, so that the rows are durable in the file as Penstock's are.
 */
final class DuckDb implements Contender {
    /** What DuckDB is asked to do with the rows. */
    enum Variant {
        /** Store them in any order, which is its fastest. */
        PLAIN("duckdb", "CREATE TABLE AS read_csv"),
        /** Sort them by the key, as Penstock does. */
        ORDERED("duckdb-ordered", "CREATE TABLE AS read_csv ORDER BY the key"),
        /** Check the key, as Penstock does, and keep an index of it. */
        KEY("duckdb-key", "CREATE TABLE with the PRIMARY KEY, INSERT from read_csv");

        private final String contender;
        private final String words;

        Variant(String contender, String words) {
            this.contender = contender;
            this.words = words;
        }
    }

    private final Workload workload;
    private final Variant variant;

    DuckDb(Workload workload, Variant variant) {
        this.workload = workload;
        this.variant = variant;
    }

    @Override
    public String name() {
        return variant.contender;
    }

    @Override
    public String description() {
        return "DuckDB: open a database file, "
                + variant.words
                + ", CHECKPOINT, close; column types given, insertion order not preserved; within a"
                + " warm JVM";
    }

    @Override
    public String version() throws SQLException {
        return engineVersion();
    }

    static String engineVersion() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
            return connection.getMetaData().getDatabaseProductVersion();
        }
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public boolean warmsUp() {
        return true;
    }

    @Override
    public Loaded load(Path folder) throws SQLException, IOException {
        Path file = folder.resolve("table.duckdb");
        Stopwatch watch = Stopwatch.start(CpuTime.own());
        long rows;
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("SET threads = " + workload.threads());
            statement.execute("SET preserve_insertion_order = false");
            if (variant == Variant.KEY) {
                statement.execute(createTable());
                statement.execute("INSERT INTO " + workload.table() + " " + select());
            } else {
                statement.execute("CREATE TABLE " + workload.table() + " AS " + select());
            }
            statement.execute("CHECKPOINT");
            // A matter of microseconds: the count is part of the table's own figures.
            rows = count(statement);
        }
        return new Loaded(watch.stop(), rows, Folders.bytes(folder));
    }

    private long count(Statement statement) throws SQLException {
        try (ResultSet count = statement.executeQuery("SELECT count(*) FROM " + workload.table())) {
            count.next();
            return count.getLong(1);
        }
    }

    private String createTable() {
        return "CREATE TABLE "
                + workload.table()
                + " ("
                + workload.columns(DuckDb::declared)
                + ", PRIMARY KEY ("
                + workload.key()
                + "))";
    }

    private static String declared(Column column) {
        return column.name() + " " + column.type().sql() + (column.nullable() ? "" : " NOT NULL");
    }

    private String select() {
        TextFormat format = workload.format();
        // A delimiter after the last field makes one more, empty field.
        return "SELECT "
                + (format.trailing() ? "* EXCLUDE (after_last)" : "*")
                + " FROM read_csv("
                + workload.quotedFile()
                + String.format(
                        Locale.ROOT,
                        ", delim = '%s', quote = '%s', escape = '%s', header = %s,",
                        format.delimiter(),
                        format.quoted() ? "\"" : "",
                        format.quoted() ? "\"" : "",
                        format.header())
                + " auto_detect = false, columns = {"
                + workload.columns(
                        column -> "'" + column.name() + "': '" + column.type().sql() + "'")
                + (format.trailing() ? ", 'after_last': 'VARCHAR'})" : "})")
                + (variant == Variant.ORDERED ? " ORDER BY " + workload.key() : "");
    }
}
