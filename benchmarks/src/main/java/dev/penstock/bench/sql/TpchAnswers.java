package dev.penstock.bench.sql;

import dev.penstock.bench.contender.WorkFolder;
import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;
import dev.penstock.loader.report.Quantities;
import dev.penstock.loader.report.TextTable;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The 22 queries of TPC-H over its eight tables, loaded by COPY from the text that the generator
 * makes, beside what DuckDB says about the same files. Both are asked once; the times are those of
 * a JVM that is not warm.
 *
 * <pre>
 *   TpchAnswers [--scale 0.1] [--queries 1,6,14]
 * </pre>
 *
 * Exit code 1 if an answer differs.
 */
public final class TpchAnswers implements AutoCloseable {
    /** How many queries there are; they count from 1. */
    public static final int QUERIES = 22;

    private final Connection penstock;
    private final Connection duckDb;

    /**
     * What both said to one query.
     *
     * @param difference the first one, or null if there is none
     */
    public record Answer(
            int query,
            int rows,
            double penstockSeconds,
            double duckDbSeconds,
            @Nullable String difference) {}

    private TpchAnswers(Connection penstock, Connection duckDb) {
        this.penstock = penstock;
        this.duckDb = duckDb;
    }

    public static void main(String[] arguments) throws Exception {
        double scale = 0.1;
        List<Integer> queries = new ArrayList<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            switch (arguments[i]) {
                case "--scale" -> scale = Double.parseDouble(arguments[i + 1]);
                case "--queries" -> {
                    for (String number : arguments[i + 1].split(",")) {
                        queries.add(Integer.parseInt(number));
                    }
                }
                default -> throw new IllegalArgumentException(arguments[i] + " is no option");
            }
        }
        for (int query = 1;
                query <= QUERIES && !List.of(arguments).contains("--queries");
                query++) {
            queries.add(query);
        }
        boolean equal;
        try (WorkFolder folder = WorkFolder.create("penstock-tpch-");
                TpchAnswers both = load(folder.path(), scale)) {
            equal = print(both, queries);
        }
        System.exit(equal ? 0 : 1);
    }

    private static boolean print(TpchAnswers both, List<Integer> queries)
            throws SQLException, IOException {
        TextTable table =
                new TextTable("rrrrl", "query", "rows", "penstock s", "duckdb s", "equal");
        boolean equal = true;
        for (int query : queries) {
            Answer answer = both.ask(query);
            equal &= answer.difference() == null;
            table.row(
                    Integer.toString(query),
                    Integer.toString(answer.rows()),
                    Quantities.decimal(answer.penstockSeconds(), 2),
                    Quantities.decimal(answer.duckDbSeconds(), 2),
                    Objects.requireNonNullElse(answer.difference(), "yes"));
        }
        table.lines("").forEach(System.out::println);
        return equal;
    }

    /** Makes the tables at a scale in an empty folder and loads them into both. */
    public static TpchAnswers load(Path folder, double scale) throws SQLException, IOException {
        Connection penstock =
                DriverManager.getConnection(
                        "jdbc:penstock:" + folder.resolve("store") + "?create=true");
        Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        for (TpchTable table : TpchTable.values()) {
            Path file = folder.resolve(table.tableName() + ".tbl");
            long rows;
            try (OutputStream out = Files.newOutputStream(file)) {
                rows = new TpchWriter(table, scale, 1).writeTo(out, _ -> {}).rows();
            }
            String copy = "COPY " + table.tableName() + " FROM '" + file + "' ";
            change(penstock, table.ddl());
            long loaded = change(penstock, copy + "WITH (DELIMITER '|', HEADER false)");
            if (loaded != rows) {
                throw new IllegalStateException(
                        loaded + " of " + rows + " rows of " + table.tableName() + " were loaded");
            }
            change(duckDb, table.ddl());
            change(duckDb, copy + "(DELIMITER '|', HEADER false, NULL 'zzz', STRICT_MODE false)");
            Files.delete(file);
        }
        return new TpchAnswers(penstock, duckDb);
    }

    private static long change(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return statement.getUpdateCount();
        }
    }

    /** Asks both one of the queries. */
    public Answer ask(int query) throws SQLException, IOException {
        String sql = resource(String.format(Locale.ROOT, "q%02d.sql", query));
        long start = System.nanoTime();
        Rows actual = Rows.of(penstock, sql);
        long middle = System.nanoTime();
        Rows expected = Rows.of(duckDb, sql);
        long end = System.nanoTime();
        return new Answer(
                query,
                expected.count(),
                (middle - start) / 1e9,
                (end - middle) / 1e9,
                actual.differenceFrom(expected));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = TpchAnswers.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() throws SQLException {
        try (penstock;
                duckDb) {
            // Both are closed.
        }
    }
}
