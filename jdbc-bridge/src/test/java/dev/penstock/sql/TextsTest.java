package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.NewStore;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Texts as they are found, compared and put together: none is padded, and patterns may be any. */
final class TextsTest {
    @TempDir private static Path folder;

    private static Connection connection;

    @BeforeAll
    static void open() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE t (id INTEGER NOT NULL, name VARCHAR(9), state CHAR(9), PRIMARY"
                            + " KEY (id))");
            statement.execute(
                    "INSERT INTO t VALUES (1, 'a', 'x'), (2, 'bcd', 'y'), (3, 'Bcd', 'z'), (4,"
                            + " NULL, NULL)");
            statement.execute(
                    "CREATE TABLE times (id INTEGER NOT NULL, t TIME, u TIME, PRIMARY KEY (id))");
            statement.execute("INSERT INTO times VALUES (1, '10:00:00', NULL)");
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bcd", "b%", "%cd", "_cd", "%", "", "b_%", "nobody"})
    void a_pattern_may_be_a_parameter(String pattern) throws SQLException {
        for (String like : List.of("LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE")) {
            String query = "SELECT id FROM t WHERE name " + like + " %s";
            assertThat(ids(query.formatted("?"), pattern))
                    .as(like)
                    .isEqualTo(rows(query.formatted("'" + pattern + "'")));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10:61:00",
                "25:00:00",
                "10:00:60",
                "24:00:00",
                "-1:00:00",
                "x",
                "",
                "10",
                "10:0x",
                "10:00\nx"
            })
    void a_text_that_is_no_time_of_a_day_is_refused(String text) throws SQLException {
        for (String wrong :
                List.of(
                        "INSERT INTO times VALUES (2, '%s', NULL)",
                        "INSERT INTO times VALUES (2, '10:00:00', NULL), (3, NULL, '%s')",
                        "SELECT * FROM times WHERE t = '%s'",
                        "VALUES CAST('%s' AS TIME)",
                        "SELECT id FROM times WHERE CAST('%s' AS TIME) IN ('11:01:00', '12:00:00')",
                        "SELECT CAST(name || '%s' AS TIME) FROM (VALUES ('')) AS v(name)")) {
            assertThatThrownBy(() -> rows(wrong.formatted(text)))
                    .as(wrong)
                    .isInstanceOf(SQLDataException.class)
                    .hasMessageStartingWith(
                            "Invalid TIME value, '" + text.lines().findFirst().orElse("'"))
                    .extracting(failure -> ((SQLException) failure).getSQLState())
                    .isEqualTo("22007");
        }
        assertThat(rows("SELECT * FROM times")).containsExactly("1|10:00:00.000|null");
    }

    @Test
    void texts_are_times_of_a_day() throws SQLException {
        assertThat(
                        rows(
                                "VALUES (CAST(' 23:59:59.999 ' AS TIME(3)), CAST('1:2' AS TIME),"
                                        + " CAST(CAST(NULL AS VARCHAR) AS TIME))"))
                .containsExactly("23:59:59.999|01:02:00|null");
        assertThat(rows("VALUES CAST('23:59:59.99951' AS TIME(3))"))
                .containsExactly("23:59:59.999");
        assertThat(rows("SELECT id FROM times WHERE t = '10:00:00' AND '9:59' < t"))
                .containsExactly("1");
    }

    @Test
    void nothing_is_like_null() throws SQLException {
        assertThat(ids("SELECT id FROM t WHERE name LIKE ?", null)).isEmpty();
        assertThat(ids("SELECT id FROM t WHERE name NOT LIKE ?", null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "LIKE 'b%', 2",
                "ILIKE 'b%', 2 3",
                "ILIKE 'BCD', 2 3",
                "NOT LIKE 'b%', 1 3",
                "NOT ILIKE 'b%', 1"
            })
    void ilike_takes_no_notice_of_case(String condition, String ids) throws SQLException {
        assertThat(rows("SELECT id FROM t WHERE name " + condition + " ORDER BY id"))
                .containsExactly(ids.split(" "));
    }

    @Test
    void texts_of_several_lengths_are_not_padded() throws SQLException {
        assertThat(rows("SELECT CASE WHEN id = 1 THEN 'yes' ELSE 'no' END FROM t ORDER BY id"))
                .containsExactly("yes", "no", "no", "no");
        assertThat(rows("SELECT coalesce(name, 'nobody') FROM t WHERE id IN (1, 4) ORDER BY id"))
                .containsExactly("a", "nobody");
        assertThat(rows("SELECT x FROM (VALUES ('a'), ('bcd')) AS v(x)"))
                .containsExactlyInAnyOrder("a", "bcd");
        assertThat(rows("SELECT 'a' UNION ALL SELECT 'bcd'")).containsExactlyInAnyOrder("a", "bcd");
        assertThat(
                        rows(
                                "SELECT t.id FROM t JOIN (VALUES ('a'), ('bcd')) AS v(x)"
                                        + " ON t.name = v.x ORDER BY t.id"))
                .containsExactly("1", "2");
    }

    @Test
    void an_update_stores_texts_as_they_are() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String update = "UPDATE t SET state = CASE WHEN id > 1 THEN 'open' ELSE 'closed' END";
            assertThat(statement.executeUpdate(update)).isEqualTo(4);
        }
        assertThat(rows("SELECT state FROM t ORDER BY id"))
                .containsExactly("closed", "open", "open", "open");
        assertThat(rows("SELECT id FROM t WHERE state = 'open' AND id < 3")).containsExactly("2");
    }

    private static List<String> rows(String sql) throws SQLException {
        return Answers.rows(connection, sql);
    }

    private static List<String> ids(String sql, @Nullable String parameter) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, parameter);
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    ids.add(result.getString(1));
                }
            }
        }
        return ids;
    }
}
