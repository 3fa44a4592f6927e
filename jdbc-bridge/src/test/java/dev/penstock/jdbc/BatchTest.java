package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Batches: what is stored, what is counted, and what is said when a row is wrong. */
final class BatchTest {
    private static final UUID ID = new UUID(3, 4);

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:penstock:" + folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE item (id INTEGER NOT NULL, name VARCHAR(8), PRIMARY KEY (id))");
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void many_rows_are_stored_in_blocks() throws SQLException {
        int count = 20_000;
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO item (name, id) VALUES (?, ?)")) {
            for (int i = 0; i < count; i++) {
                insert.setString(1, i % 3 == 0 ? null : "n" + i % 10);
                insert.setInt(2, i);
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(count).containsOnly(1);
            assertThat(insert.executeLargeBatch()).isEmpty();
        }
        assertThat(rows("SELECT count(*), count(name), sum(id) FROM item"))
                .containsExactly(count + "|13333|" + (count - 1L) * count / 2);
    }

    @Test
    void a_key_that_is_there_ends_the_batch_at_its_row() throws SQLException {
        insert(5);
        BatchUpdateException failure = failing("INSERT INTO item VALUES (?, 'x')", 1, 2, 5, 6);
        assertThat(failure.getUpdateCounts()).containsExactly(1, 1);
        assertThat(failure.getSQLState()).isEqualTo("23505");
        assertThat((Throwable) failure).hasMessageContaining("statement 3 of the batch");
        assertThat(rows("SELECT id FROM item ORDER BY id")).containsExactly("1", "2", "5");

        failure = failing("INSERT INTO item (id) VALUES (?)", 10, 11, 11, 12);
        assertThat(failure.getLargeUpdateCounts()).containsExactly(1, 1);
        assertThat(failure.getSQLState()).isEqualTo("23505");
        assertThat(rows("SELECT count(*) FROM item")).containsExactly("5");

        failure = failing("INSERT INTO item (id) VALUES (?)", 20, "no number", 5);
        assertThat(failure.getUpdateCounts()).containsExactly(1);
        assertThat(failure.getSQLState()).isEqualTo("22000");
        assertThat((Throwable) failure)
                .hasMessage(
                        "statement 2 of the batch: column id (INTEGER) cannot take 'no number'");
        failure = failing("INSERT INTO item (id) VALUES (?)", null, 21);
        assertThat(failure.getUpdateCounts()).isEmpty();
        assertThat((Throwable) failure).hasMessageContaining("may not be NULL");
        assertThat(rows("SELECT count(*) FROM item")).containsExactly("6");
    }

    @Test
    void one_row_is_inserted_without_a_batch() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO item (name, id) VALUES (?, ?)")) {
            SQLException failure = catchThrowableOfType(SQLException.class, insert::execute);
            assertThat(failure.getSQLState()).isEqualTo("07001");
            insert.setString(1, "one");
            failure = catchThrowableOfType(SQLException.class, insert::addBatch);
            assertThat(failure.getMessage()).isEqualTo("parameter 2 has no value");
            insert.setInt(2, 1);
            assertThat(insert.executeUpdate()).isEqualTo(1);
            insert.setInt(2, 2);
            assertThat(insert.execute()).isFalse();
            assertThat(insert.getUpdateCount()).isEqualTo(1);
            assertThat(insert.getResultSet()).isNull();
            failure = catchThrowableOfType(SQLException.class, insert::executeLargeUpdate);
            assertThat(failure.getSQLState()).isEqualTo("23505");
            failure = catchThrowableOfType(SQLException.class, insert::executeQuery);
            assertThat(failure.getSQLState()).isEqualTo("42000");
        }
        assertThat(rows("SELECT * FROM item ORDER BY id")).containsExactly("1|one", "2|one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO moments (d, t, dt, u, raw, id) VALUES (?, ?, ?, ?, ?, ?)",
                "UPDATE moments SET d = ?, t = ?, dt = ?, u = ?, raw = ? WHERE id = ?"
            })
    @SuppressWarnings("JavaUtilDate") // what JDBC takes
    void a_value_may_be_changed_and_used_for_the_next_row(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE moments (id INTEGER NOT NULL, d DATE, t TIME, dt TIMESTAMP, u"
                            + " TIMESTAMP, raw VARBINARY(4), PRIMARY KEY (id))");
            if (sql.startsWith("UPDATE")) {
                statement.execute("INSERT INTO moments (id) VALUES (1), (2)");
            }
        }
        Date date = Date.valueOf("2026-01-01");
        Time time = Time.valueOf("01:01:01");
        Timestamp moment = Timestamp.valueOf("2026-01-01 01:01:01");
        java.util.Date any = new java.util.Date(moment.getTime());
        byte[] bytes = {1, 1};
        try (PreparedStatement write = connection.prepareStatement(sql)) {
            for (int i = 1; i <= 2; i++) {
                write.setDate(1, date);
                write.setTime(2, time);
                write.setTimestamp(3, moment);
                write.setObject(4, sql.startsWith("UPDATE") ? moment : any);
                write.setBytes(5, bytes);
                write.setInt(6, i);
                write.addBatch();
                date.setTime(Date.valueOf("2026-02-02").getTime());
                time.setTime(Time.valueOf("02:02:02").getTime());
                moment.setTime(Timestamp.valueOf("2026-02-02 02:02:02").getTime());
                any.setTime(moment.getTime());
                Arrays.fill(bytes, (byte) 2);
            }
            Arrays.fill(bytes, (byte) 3);
            assertThat(write.executeBatch()).containsExactly(1, 1);
        }
        assertThat(rows("SELECT d, t, dt, u, raw FROM moments ORDER BY id"))
                .containsExactly(
                        "2026-01-01|01:01:01.000|2026-01-01 01:01:01.000|2026-01-01 01:01:01.000"
                                + "|0101",
                        "2026-02-02|02:02:02.000|2026-02-02 02:02:02.000|2026-02-02 02:02:02.000"
                                + "|0202");
    }

    @Test
    void upsert_replaces_and_the_last_of_equal_keys_stays() throws SQLException {
        insert(1, 2);
        try (PreparedStatement upsert =
                connection.prepareStatement("UPSERT INTO item VALUES (?, ?)")) {
            upsert.setInt(1, 1);
            upsert.setString(2, "a");
            upsert.addBatch();
            upsert.setString(2, "b");
            upsert.addBatch();
            upsert.clearParameters();
            upsert.setObject(1, 3L);
            upsert.setNull(2, Types.VARCHAR);
            upsert.addBatch();
            assertThat(upsert.executeBatch()).containsExactly(1, 1, 1);
        }
        assertThat(rows("SELECT * FROM item ORDER BY id"))
                .containsExactly("1|b", "2|null", "3|null");
    }

    @Test
    void other_statements_run_one_by_one_and_count_their_rows() throws SQLException {
        insert(1, 2, 3, 4);
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE item SET name = ? WHERE id >= ?")) {
            update.setString(1, "x");
            update.setInt(2, 3);
            update.addBatch();
            update.setString(1, "y");
            update.setInt(2, 9);
            update.addBatch();
            update.setString(1, "more than 8");
            update.setInt(2, 1);
            update.addBatch();
            BatchUpdateException failure =
                    catchThrowableOfType(BatchUpdateException.class, update::executeBatch);
            assertThat(failure.getUpdateCounts()).containsExactly(2, 0);
            assertThat(failure.getSQLState()).isEqualTo("22000");
        }
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("CREATE TABLE other (a INTEGER)");
            statement.addBatch("INSERT INTO other VALUES (1), (2)");
            statement.addBatch("DELETE FROM item WHERE id > 1;");
            assertThat(statement.executeBatch()).containsExactly(0, 2, 3);
            statement.addBatch("INSERT INTO other VALUES (3)");
            statement.clearBatch();
            statement.addBatch("INSERT INTO nowhere VALUES (3)");
            BatchUpdateException failure =
                    catchThrowableOfType(BatchUpdateException.class, statement::executeBatch);
            assertThat(failure.getUpdateCounts()).isEmpty();
            assertThat(failure.getSQLState()).isEqualTo("42P01");
        }
    }

    @Test
    void every_type_takes_its_java_values_and_their_text() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE typed (n INTEGER NOT NULL, b BOOLEAN, s SMALLINT, l BIGINT, r"
                        + " REAL, d DOUBLE, e DECIMAL(6,2), w DECIMAL(30,1), dt DATE, tm TIME, ts"
                        + " TIMESTAMP, c CHAR(3), v VARCHAR(9), x VARBINARY(4), u UUID, PRIMARY KEY"
                        + " (n))");
        }
        BigDecimal wide = new BigDecimal("12345678901234567890.5");
        @Nullable Object[][] rows = {
            {
                1,
                true,
                (short) 2,
                3L,
                0.5f,
                1.5,
                new BigDecimal("7.25"),
                wide,
                Date.valueOf("2026-01-02"),
                Time.valueOf("03:04:05"),
                Timestamp.valueOf("2026-01-02 03:04:05.5"),
                "abc",
                "v",
                new byte[] {1, 2},
                ID
            },
            {
                "2",
                "true",
                "2",
                "3",
                "0.5",
                "1.5",
                "7.25",
                wide.toString(),
                "2026-01-02",
                "03:04:05",
                "2026-01-02 03:04:05.5",
                "abc",
                'v',
                new byte[] {1, 2},
                ID.toString()
            },
            {
                3L,
                1,
                2,
                BigInteger.valueOf(3),
                0.5,
                1.5f,
                7.25,
                wide,
                LocalDate.of(2026, 1, 2),
                LocalTime.of(3, 4, 5),
                LocalDateTime.of(2026, 1, 2, 3, 4, 5, 500_000_000),
                "abc",
                "v",
                new byte[] {1, 2},
                ID
            }
        };
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO typed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (@Nullable Object[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    insert.setObject(i + 1, row[i]);
                }
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(3);
        }
        assertThat(
                        rows(
                                "SELECT DISTINCT b, s, l, r, d, e, w, dt, tm, ts, c, v, x, u FROM"
                                        + " typed"))
                .containsExactly(
                        "true|2|3|0.5|1.5|7.25|12345678901234567890.5|2026-01-02|03:04:05.000"
                                + "|2026-01-02 03:04:05.500|abc|v|0102|"
                                + ID);
        assertThat(
                        (Throwable)
                                failing(
                                        "INSERT INTO typed (n, s) VALUES (?, ?)",
                                        new Object[] {9, 40_000}))
                .hasMessageContaining("column s (SMALLINT) cannot take '40000'");
        assertThat(
                        (Throwable)
                                failing(
                                        "INSERT INTO typed (n, dt) VALUES (?, ?)",
                                        new Object[] {9, "02.01."}))
                .hasMessageContaining("column dt (DATE) cannot take '02.01.'");
        assertThat(
                        (Throwable)
                                failing(
                                        "INSERT INTO typed (n, v) VALUES (?, ?)",
                                        new Object[] {9, "too long 9"}))
                .hasMessageContaining("cannot hold a value of length 10");
    }

    @Test
    void a_truth_is_one_or_nothing() throws SQLException {
        run("CREATE TABLE truth (n INTEGER NOT NULL, b BOOLEAN, PRIMARY KEY (n))");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO truth VALUES (?, ?)")) {
            Object[] good = {true, 1, 0L, 1.0, new BigDecimal("0.00"), "true", "F"};
            for (int i = 0; i < good.length; i++) {
                insert.setInt(1, i);
                insert.setObject(2, good[i]);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
            for (Object bad : new Object[] {0.5, 1.5f, 2, new BigDecimal("0.1"), "yes", -1}) {
                insert.setInt(1, 100);
                insert.setObject(2, bad);
                SQLException refused =
                        catchThrowableOfType(SQLException.class, insert::executeUpdate);
                assertThat(refused.getSQLState()).as("%s", bad).isEqualTo("22000");
                assertThat(refused.getMessage()).contains("column b (BOOLEAN) cannot take");
            }
        }
        assertThat(rows("SELECT b FROM truth ORDER BY n"))
                .containsExactly("true", "true", "false", "true", "false", "true", "false");
    }

    @Test
    void a_number_is_infinite_only_if_it_was_set_so() throws SQLException {
        run("CREATE TABLE ratio (n INTEGER NOT NULL, r REAL, d DOUBLE, PRIMARY KEY (n))");
        Object[] tooLargeForReal = {1e39, "1e39", new BigDecimal("-1e39"), "1e400"};
        for (Object bad : tooLargeForReal) {
            assertThat((Throwable) failing("INSERT INTO ratio (n, r) VALUES (?, ?)", 1, bad))
                    .hasMessageContaining("column r (REAL) cannot take")
                    .hasMessageContaining("expected a number within REAL, up to 3.4e38");
        }
        Object[] tooLargeForDouble = {"1e400", new BigDecimal("1e400"), BigInteger.TEN.pow(400)};
        for (Object bad : tooLargeForDouble) {
            assertThat((Throwable) failing("INSERT INTO ratio (n, d) VALUES (?, ?)", 1, bad))
                    .hasMessageContaining("expected a number within DOUBLE, up to 1.8e308");
        }
        assertThat((Throwable) failing("INSERT INTO ratio (n, d) VALUES (?, ?)", 1, "ten"))
                .hasMessageContaining("expected a number such as -1.5");
        Object[] good = {
            Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Double.NaN, "-Infinity", "NaN", "0.1"
        };
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO ratio VALUES (?, ?, ?)")) {
            for (int i = 0; i < good.length; i++) {
                insert.setInt(1, i);
                insert.setObject(2, good[i]);
                insert.setObject(3, good[i]);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        assertThat(rows("SELECT r, d FROM ratio ORDER BY n"))
                .containsExactly(
                        "Infinity|Infinity",
                        "-Infinity|-Infinity",
                        "NaN|NaN",
                        "-Infinity|-Infinity",
                        "NaN|NaN",
                        "0.1|0.1");
    }

    @Test
    void a_moment_is_stored_whole_or_refused() throws SQLException {
        run(
                "CREATE TABLE moment (n INTEGER NOT NULL, d DATE, t TIME, ts TIMESTAMP, PRIMARY KEY"
                        + " (n))");
        Object[][] refused = {
            {"d", "2020-01-01 23:59:59", "a date without a time"},
            {"d", LocalDateTime.of(2020, 1, 1, 0, 0, 1), "a date without a time"},
            {"d", Timestamp.valueOf("2020-01-01 12:00:00"), "a date without a time"},
            {"t", "2020-01-01 23:59:59", "a time without a date"},
            {"t", LocalDateTime.of(2020, 1, 1, 0, 0), "a time without a date"},
            {"d", LocalDate.of(12_345, 1, 1), "a date of the years 0001 to 9999"},
            {"d", "0000-01-01", "a date of the years 0001 to 9999"},
            {"d", "+12345-01-01", "a date of the years 0001 to 9999"},
            {"ts", LocalDateTime.of(0, 12, 31, 23, 59), "a date of the years 0001 to 9999"},
            {"ts", LocalDate.of(10_000, 1, 1), "a date of the years 0001 to 9999"}
        };
        for (Object[] each : refused) {
            assertThat(
                            (Throwable)
                                    failing(
                                            "INSERT INTO moment (n, %s) VALUES (?, ?)"
                                                    .formatted(each[0]),
                                            1,
                                            each[1]))
                    .as("%s", each[1])
                    .hasMessageContaining("cannot take '" + each[1] + "': expected " + each[2]);
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO moment VALUES (?, ?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setObject(2, LocalDateTime.of(1, 1, 1, 0, 0));
            insert.setObject(3, LocalTime.of(23, 59));
            insert.setObject(4, LocalDate.of(9999, 12, 31));
            insert.executeUpdate();
        }
        assertThat(rows("SELECT * FROM moment"))
                .containsExactly("1|0001-01-01|23:59:00.000|9999-12-31 00:00:00.000");
    }

    @Test
    void microseconds_are_stored_as_an_appender_stores_them() throws SQLException {
        run("CREATE TABLE clock (n INTEGER NOT NULL, tm TIME, ts TIMESTAMP, PRIMARY KEY (n))");
        LocalDateTime old = LocalDateTime.of(1959, 12, 31, 23, 59, 59, 999_999_900);
        Object[][] moments = {
            {
                LocalTime.of(3, 4, 5, 123_456_000),
                LocalDateTime.of(2026, 1, 2, 3, 4, 5, 123_456_000)
            },
            {LocalTime.of(23, 59, 59, 999_999_999), old},
            {"03:04:05.123456", "2026-01-02 03:04:05.123456"},
            {LocalTime.MIDNIGHT, Timestamp.valueOf("2026-01-02 03:04:05.000001")}
        };
        try (PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO clock VALUES (?, ?, ?)");
                RowAppender rows =
                        connection.unwrap(PenstockConnection.class).bulkLoad("clock").appender()) {
            for (int i = 0; i < moments.length; i++) {
                insert.setInt(1, i);
                insert.setObject(2, moments[i][0]);
                insert.setObject(3, moments[i][1]);
                insert.executeUpdate();
                rows.append(100 + i).append(moments[i][0]).append(moments[i][1]).endRow();
            }
            rows.finish();
            insert.setObject(3, "2026-01-02 03:04:05.1234567");
            SQLException refused = catchThrowableOfType(SQLException.class, insert::executeUpdate);
            assertThat(refused.getMessage()).contains("cannot take '2026-01-02 03:04:05.1234567'");
        }
        List<List<Long>> stored = micros("clock");
        assertThat(stored).hasSize(8);
        assertThat(stored.subList(0, 4)).isEqualTo(stored.subList(4, 8));
        assertThat(stored.getFirst().getFirst() % 1_000_000).isEqualTo(123_456);
        assertThat(stored.get(1)).containsExactly(86_399_999_999L, -315_619_200_000_001L);
        assertThat(stored.get(3).get(1) % 1_000_000).isEqualTo(1);
    }

    /** Times and timestamps as they are stored. */
    private List<List<Long>> micros(String name) throws SQLException {
        Table table = connection.unwrap(PenstockConnection.class).store().table(name);
        List<List<Long>> rows = new ArrayList<>();
        try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
            ColumnBatch batch = scan.newBatch();
            while (scan.next(batch)) {
                for (int row = 0; row < batch.rowCount(); row++) {
                    rows.add(List.of(batch.longs(1).values()[row], batch.longs(2).values()[row]));
                }
            }
        }
        return rows;
    }

    @Test
    void a_prepared_statement_takes_no_other_text() throws SQLException {
        String sql = "INSERT INTO item (id) VALUES (1)";
        for (String prepared :
                List.of("INSERT INTO item (id) VALUES (?)", "DROP TABLE item", "SELECT 1")) {
            try (PreparedStatement statement = connection.prepareStatement(prepared)) {
                for (SQLException refused :
                        List.of(
                                catchThrowableOfType(
                                        SQLException.class, () -> statement.addBatch(sql)),
                                catchThrowableOfType(
                                        SQLException.class, () -> statement.execute(sql)),
                                catchThrowableOfType(
                                        SQLException.class, () -> statement.executeUpdate(sql)),
                                catchThrowableOfType(
                                        SQLException.class,
                                        () -> statement.executeQuery("SELECT 2").close()))) {
                    assertThat(refused.getSQLState()).isEqualTo("HY010");
                    assertThat(refused.getMessage()).contains("prepared statement");
                }
            }
        }
        assertThat(rows("SELECT count(*) FROM item")).containsExactly("0");
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void insert(Object... ids) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO item (id) VALUES (?)")) {
            for (Object id : ids) {
                insert.setObject(1, id);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private BatchUpdateException failing(String sql, @Nullable Object... rows) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            boolean many = sql.indexOf('?') == sql.lastIndexOf('?');
            for (int i = 0; i < (many ? rows.length : 1); i++) {
                if (many) {
                    insert.setObject(1, rows[i]);
                } else {
                    for (int k = 0; k < rows.length; k++) {
                        insert.setObject(k + 1, rows[k]);
                    }
                }
                insert.addBatch();
            }
            return catchThrowableOfType(BatchUpdateException.class, insert::executeBatch);
        }
    }

    private List<String> rows(String sql) throws SQLException {
        return Answers.rows(connection, sql);
    }
}
