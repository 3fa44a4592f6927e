package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.NewStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/** Numbers do not become infinite on their way, and parameters become what their place expects. */
final class NumberRangeTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        change(
                "CREATE TABLE t (id INTEGER NOT NULL, r REAL, d DOUBLE, v VARCHAR(40), a DATE, b"
                        + " BOOLEAN, m DECIMAL(9,2), s TIMESTAMP, u UUID, PRIMARY KEY (id))");
        change("INSERT INTO t (id, r, d, v) VALUES (1, 1e30, 1e39, '1e39'), (2, 2, 1e300, '2')");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"d", "r", "m"})
    void numbers_of_one_list_of_values_are_written_as_anyone_likes(String column)
            throws SQLException {
        change(
                "INSERT INTO t (id, %1$s) VALUES (3, 1e3), (4, 5.25), (5, -7), (6, -2.5e-1), (7, +8),"
                                .formatted(column)
                        + " (8, NULL), (9, 1 + 0.5)");
        assertThat(
                        Answers.rows(
                                connection,
                                "SELECT CAST(%s AS DECIMAL(9,2)) FROM t WHERE id > 2 ORDER BY id"
                                        .formatted(column)))
                .containsExactly("1000.00", "5.25", "-7.00", "-0.25", "8.00", "null", "1.50");
    }

    @Test
    void decimals_of_many_digits_do_not_become_doubles_unseen() throws SQLException {
        change("CREATE TABLE w (id INTEGER NOT NULL, m DECIMAL(19,2), PRIMARY KEY (id))");
        change("INSERT INTO w VALUES (1, 12345678901234567.89), (2, 1), (3, 1e0)");
        assertThat(Answers.rows(connection, "SELECT m FROM w ORDER BY id"))
                .containsExactly("12345678901234567.89", "1.00", "1.00");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET r = 1e39",
                "UPDATE t SET r = d",
                "UPDATE t SET r = -d WHERE id = 1",
                "UPDATE t SET r = r * r",
                "UPDATE t SET r = r * 1e30 WHERE id = 1",
                "UPDATE t SET r = d - 1",
                "UPDATE t SET d = d * d WHERE id = 2",
                "UPDATE t SET d = d * 1e9",
                "UPDATE t SET d = power(d, 2)",
                "UPDATE t SET d = exp(1000)",
                "UPDATE t SET id = id + 2147483647",
                "UPDATE t SET id = -2147483647 - 2 * id",
                "UPDATE t SET id = id * 2000000000 WHERE id = 2",
                "UPDATE t SET m = id * 10000000",
                "UPDATE t SET r = CAST(v AS REAL)",
                "UPDATE t SET r = CAST(v AS DOUBLE)",
                "UPDATE t SET r = CAST('1e39' AS REAL)",
                "UPDATE t SET d = CAST('1e400' AS DOUBLE)",
                "UPDATE t SET d = 1e308 * 10e0",
                "UPDATE t SET r = CASE WHEN id = 1 THEN 1e39 ELSE 0 END",
                "UPDATE t SET r = (SELECT max(d) FROM t)",
                "INSERT INTO t (id, r) SELECT id + 10, d FROM t",
                "INSERT INTO t (id, r) SELECT id + 10, d FROM t WHERE id = 1 ORDER BY d LIMIT 1",
                "INSERT INTO t (id, r) SELECT 9, x * 10 FROM (VALUES (CAST(1e38 AS REAL))) AS w(x)",
                "INSERT INTO t (id, r) SELECT id + 10, sum(d) FROM t GROUP BY id",
                "INSERT INTO t (id, r) SELECT 9, d FROM t UNION ALL SELECT 10, 1e39",
                "INSERT INTO t (id, r) VALUES (9, 1e39)",
                "INSERT INTO t (id, r) VALUES (9, 1), (10, -1e39)",
                "INSERT INTO t (id, r) VALUES (9, 1e19 * 1e20)",
                "UPSERT INTO t (id, r) VALUES (1, 1e39)"
            })
    void what_becomes_too_large_is_refused(String sql) throws SQLException {
        List<String> before = rows("SELECT * FROM t ORDER BY id");
        assertRefused(sql, "22003");
        assertThat(rows("SELECT * FROM t ORDER BY id")).isEqualTo(before);
    }

    @Test
    void what_is_infinite_stays_so() throws SQLException {
        change("INSERT INTO t (id, r, d) VALUES (3, CAST('Infinity' AS REAL), 1)");
        change("UPDATE t SET d = -r WHERE id = 3");
        change("UPDATE t SET r = d WHERE id = 3");
        change("UPDATE t SET r = r * 2, d = d + 1 WHERE id = 3");
        assertThat(rows("SELECT r, d FROM t WHERE id = 3")).containsExactly("-Infinity|-Infinity");
        assertThat(rows("SELECT r * 0, r - r FROM t WHERE id = 3")).containsExactly("NaN|NaN");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "1.254 | 1.25",
                "1.255 | 1.26",
                "-1.255 | -1.26",
                "'1.255' | 1.26",
                "1.255 + 0 | 1.26",
                "CAST(1.255 AS DECIMAL(9,2)) | 1.26",
                "CAST(1.2 + 0.055 AS DECIMAL(9,2)) | 1.26",
                "CAST('-1.2549' AS DECIMAL(9,2)) | -1.25",
                "CAST(2.5 AS INTEGER) | 3.00",
                "CAST(id + 1.4 AS INTEGER) | 3.00",
                "CAST(-2.5 AS BIGINT) | -3.00",
                "CAST(2.5e0 AS INTEGER) | 2.00",
                "CAST(3.5e0 AS INTEGER) | 4.00",
                "CAST(id + 1.6e0 AS BIGINT) | 4.00",
                "CAST(CAST(-1.7 AS REAL) AS SMALLINT) | -2.00",
                "ABS(-7) | 7.00",
                "ABS(id - 9) | 7.00"
            })
    void numbers_are_rounded_wherever_they_come_from(String number, String stored)
            throws SQLException {
        change("UPDATE t SET m = " + number + " WHERE id = 2");
        assertThat(rows("SELECT m FROM t WHERE id = 2")).containsExactly(stored);
    }

    @Test
    void lists_of_numbers_see_the_same_ones() throws SQLException {
        change("UPDATE t SET d = 2.7 WHERE id = 1");
        change("UPDATE t SET d = 2.5 WHERE id = 2");
        for (String type : List.of("SMALLINT", "INTEGER", "BIGINT")) {
            String whole = "CAST(d AS " + type + ")";
            assertThat(rows("SELECT " + whole + " FROM t ORDER BY id")).containsExactly("3", "2");
            assertThat(rows("SELECT id FROM t WHERE " + whole + " IN (3, 5)")).containsExactly("1");
            assertThat(rows("SELECT id FROM t WHERE " + whole + " IN (2, 5)")).containsExactly("2");
            assertThat(rows("SELECT id FROM t WHERE " + whole + " NOT BETWEEN 3 AND 4"))
                    .containsExactly("2");
        }
    }

    @Test
    void what_is_no_number_says_why() {
        assertRefused("SELECT id FROM t WHERE id = '12a'", "22018");
        assertThatThrownBy(() -> rows("VALUES CAST('12a' AS INTEGER)"))
                .hasMessage("'12a' is no number");
        assertThatThrownBy(() -> rows("VALUES CAST('1.9' AS INTEGER)"))
                .hasMessage("'1.9' is not written as a whole number");
        assertThatThrownBy(() -> rows("VALUES CAST('abc' AS DECIMAL(5,2))"))
                .hasMessageStartingWith("a text is no number: ");
        for (String type : List.of("INTEGER", "SMALLINT")) {
            String cast = "VALUES CAST('3000000000' AS " + type + ")";
            assertThatThrownBy(() -> rows(cast))
                    .hasMessage("'3000000000' is too large for its type");
            assertRefused("SELECT" + cast.substring(6), "22003");
        }
        for (String tooLarge :
                List.of(
                        "CAST(2147483647.5e0 AS INTEGER)",
                        "CAST(2147483647.5 AS INTEGER)",
                        "CAST(-2147483648.5 AS INTEGER)",
                        "CAST(32767.5 AS SMALLINT)",
                        "CAST(-32768.5 AS SMALLINT)",
                        "CAST(127.5 AS TINYINT)",
                        "CAST(9223372036854775807.5 AS BIGINT)",
                        "CAST(id + 2147483646.5 AS INTEGER)",
                        "CAST(id + 32766.5 AS SMALLINT)",
                        "CAST(CAST('NaN' AS DOUBLE) AS INTEGER)",
                        "CAST(CAST('Infinity' AS DOUBLE) AS BIGINT)",
                        "ABS(CAST(-32768 AS SMALLINT))",
                        "ABS(CAST(-128 AS TINYINT))")) {
            assertRefused("SELECT " + tooLarge + " FROM t", "22003");
            assertRefused("SELECT id FROM t WHERE " + tooLarge + " IN (1, 3, 5)", "22003");
        }
        assertRefused("INSERT INTO t (id) VALUES (2147483647.5)", "22003");
        assertRefused("SELECT ABS(-2147483648)", "22003");
        assertRefused("SELECT ABS(-9223372036854775807 - id) FROM t WHERE id = 1", "22003");
        assertRefused("SELECT LN(id - 1) FROM t", "2201E");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET d = d / 0",
                "UPDATE t SET d = 1e0 / (d - d)",
                "UPDATE t SET id = id / (id - id)"
            })
    void nothing_is_divided_by_zero(String sql) {
        assertRefused(sql, "22012");
    }

    @Test
    void parameters_that_do_not_fit_are_refused() throws SQLException {
        for (Object value : new Object[] {1e39, -1e39, "1e39", new BigDecimal("1e39"), 1e300}) {
            assertRefused("UPDATE t SET r = ?", "22003", value);
            assertRefused("UPDATE t SET r = ? WHERE d > 5", "22003", value);
            assertRefused("INSERT INTO t (id, r) VALUES (9, ?)", "22003", value);
            assertRefused("INSERT INTO t (id, r, v) VALUES (9, ?, ?)", "22003", value, "x");
            assertRefused("UPSERT INTO t (id, r) VALUES (9, ?)", "22003", value);
            assertRefused("INSERT INTO t (id, r) VALUES (?, ?)", "22003", 9, value);
        }
        assertRefused("UPDATE t SET d = ?", "22003", "1e400");
        assertRefused("UPDATE t SET id = ? WHERE id = 1", "22003", 5_000_000_000L);
        assertRefused("UPDATE t SET r = ?", "22018", "ten");
        assertRefused("UPDATE t SET id = ?", "22018", "ten");
        assertRefused("UPDATE t SET m = ?", "22018", "");
        assertRefused("UPDATE t SET a = ?", "22000", "yesterday");
        assertRefused("UPDATE t SET b = ?", "22000", "maybe");
        assertRefused("SELECT id FROM t WHERE r > ?", "22018", "ten");
        assertRefused("SELECT id FROM t WHERE r + id > ?", "22018", "ten");
        assertThat(rows("SELECT id, r FROM t")).containsExactly("1|1.0E30", "2|2.0");
    }

    @ParameterizedTest
    @CsvSource({
        "r, 1.5, 1.5",
        "d, -2e3, -2000.0",
        "id, 7, 7",
        "m, 1.255, 1.26",
        "a, 2026-01-02, 2026-01-02",
        "b, t, true",
        "s, 2026-01-02 03:04:05, 2026-01-02 03:04:05.000",
        "u, 00000000-0000-0001-0000-000000000002, 00000000-0000-0001-0000-000000000002",
        "v, text, text"
    })
    void text_is_read_as_what_its_place_expects(String column, String text, String stored)
            throws SQLException {
        assertThat(change("UPDATE t SET " + column + " = ? WHERE id = 2", text)).isEqualTo(1);
        assertThat(rows("SELECT " + column + " FROM t WHERE id <> 1")).containsExactly(stored);
        String query = "SELECT count(*) FROM t WHERE " + column + " = ?";
        if (!column.equals("m")) {
            assertThat(counted(query, text)).isEqualTo(1);
            assertThat(counted(query.replace("FROM t", "FROM (SELECT * FROM t LIMIT 9)"), text))
                    .isEqualTo(1);
        }
    }

    @Test
    void values_of_other_classes_become_text() throws SQLException {
        change("UPDATE t SET v = ? WHERE id = 1", 42);
        change("UPDATE t SET v = ? WHERE id = 2", new UUID(1, 2));
        assertThat(rows("SELECT v FROM t ORDER BY id"))
                .containsExactly("42", new UUID(1, 2).toString());
        change("UPDATE t SET b = ? WHERE id = 1", 1);
        change("UPDATE t SET id = ? WHERE id = 2", 3.0);
        assertThat(rows("SELECT id, b FROM t")).containsExactly("1|true", "3|null");
    }

    private void assertRefused(String sql, String state, Object... values) {
        assertThatThrownBy(
                        () -> {
                            if (sql.startsWith("SELECT")) {
                                counted(sql, values);
                            } else {
                                change(sql, values);
                            }
                        })
                .as(sql)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).as(sql + ": " + e).isEqualTo(state));
    }

    private int change(String sql, Object... values) throws SQLException {
        if (values.length == 0) {
            try (Statement statement = connection.createStatement()) {
                return statement.executeUpdate(sql);
            }
        }
        try (PreparedStatement statement = prepared(sql, values)) {
            return statement.executeUpdate();
        }
    }

    private int counted(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values);
                var result = statement.executeQuery()) {
            return result.next() ? result.getInt(1) : 0;
        }
    }

    private PreparedStatement prepared(String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private List<String> rows(String sql) throws SQLException {
        return Answers.rows(connection, sql);
    }
}
