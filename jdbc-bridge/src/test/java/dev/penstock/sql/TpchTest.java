package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The 22 queries of TPC-H over the eight tables, loaded by COPY from the text that the generator
 * makes, give what DuckDB says about the same files.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TpchTest {
    private static final double SCALE = 0.02;

    /** Sums and quotients of decimals are rounded elsewhere. */
    private static final BigDecimal TOLERANCE = new BigDecimal("0.000001");

    @SuppressWarnings("NullAway.Init") // set before the tests
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before the tests
    private Connection penstock;

    @SuppressWarnings("NullAway.Init") // opened before the tests
    private Connection duck;

    @BeforeAll
    void load(@TempDir Path temporary) throws SQLException, IOException {
        folder = temporary;
        penstock = DriverManager.getConnection("jdbc:penstock:" + folder + "/store?create=true");
        duck = DriverManager.getConnection("jdbc:duckdb:");
        for (TpchTable<?> table : TpchTable.getTables()) {
            String name = table.getTableName();
            Path file = folder.resolve(name + ".tbl");
            long rows = write(table, file);
            String ddl = resource(name + ".sql");
            change(penstock, ddl);
            assertThat(
                            change(
                                    penstock,
                                    "COPY "
                                            + name
                                            + " FROM '"
                                            + file
                                            + "' WITH (DELIMITER '|', HEADER false)"))
                    .as(name)
                    .isEqualTo(rows);
            change(duck, ddl);
            change(
                    duck,
                    "COPY "
                            + name
                            + " FROM '"
                            + file
                            + "' (DELIMITER '|', HEADER false, NULL 'zzz', STRICT_MODE false)");
        }
    }

    @AfterAll
    void close() throws SQLException {
        penstock.close();
        duck.close();
    }

    static Stream<Integer> queries() {
        return IntStream.rangeClosed(1, 22).boxed();
    }

    @ParameterizedTest
    @MethodSource("queries")
    void a_query_gives_what_duckdb_says(int number) throws SQLException, IOException {
        String sql = resource(String.format(Locale.ROOT, "q%02d.sql", number));
        List<List<@Nullable String>> expected = rows(duck, sql);
        List<List<@Nullable String>> actual = rows(penstock, sql);
        assertThat(expected).isNotEmpty();
        assertThat(actual).hasSameSizeAs(expected);
        for (int row = 0; row < actual.size(); row++) {
            assertThat(actual.get(row)).hasSameSizeAs(expected.get(row));
            for (int column = 0; column < actual.get(row).size(); column++) {
                String value = actual.get(row).get(column);
                String wanted = expected.get(row).get(column);
                assertThat(isSame(value, wanted))
                        .as("row %d, column %d: %s, not %s", row, column, value, wanted)
                        .isTrue();
            }
        }
    }

    private static boolean isSame(@Nullable String value, @Nullable String wanted) {
        if (Objects.equals(value, wanted)) {
            return true;
        }
        if (value == null || wanted == null) {
            return false;
        }
        try {
            BigDecimal number = new BigDecimal(wanted);
            BigDecimal most = number.abs().max(BigDecimal.ONE).multiply(TOLERANCE);
            return new BigDecimal(value).subtract(number).abs().compareTo(most) <= 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static long write(TpchTable<?> table, Path file) throws IOException {
        long rows = 0;
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (TpchEntity row : table.createGenerator(SCALE, 1, 1)) {
                out.write(row.toLine());
                out.write('\n');
                rows++;
            }
        }
        return rows;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = TpchTest.class.getResourceAsStream("/tpch/" + name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static long change(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return statement.getUpdateCount();
        }
    }

    private static List<List<@Nullable String>> rows(Connection connection, String sql)
            throws SQLException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<@Nullable String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(result.getString(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
