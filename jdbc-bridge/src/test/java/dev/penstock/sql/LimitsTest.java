package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.NewStore;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** LIMIT and OFFSET mean the same wherever rows come from, also beyond 32 bits. */
final class LimitsTest {
    private static final long MANY = 5_000_000_000L;

    @TempDir private static Path folder;

    private static Connection connection;

    @BeforeAll
    static void open() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE t (id INTEGER NOT NULL, s VARCHAR(9), PRIMARY KEY (id))");
            statement.execute("INSERT INTO t VALUES (1, 'd'), (2, 'c'), (3, 'b'), (4, 'a')");
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM t ORDER BY id",
                "SELECT 5 - id FROM t ORDER BY s",
                "SELECT x.id FROM t x JOIN t y ON x.s = y.s ORDER BY x.id",
                "SELECT id FROM t WHERE id < 3 UNION ALL SELECT id FROM t WHERE id > 2"
            })
    void a_parameter_is_any_number(String rows) throws SQLException {
        for (Object two : List.of(2, 2L, (short) 2, BigDecimal.TWO, "2")) {
            assertThat(read(rows + " LIMIT ?", two)).containsExactly(1, 2);
            assertThat(read(rows + " OFFSET ?", two)).containsExactly(3, 4);
            assertThat(read(rows + " LIMIT ? OFFSET ?", 1L, two)).containsExactly(3);
        }
        assertThat(read(rows + " LIMIT ?", MANY)).containsExactly(1, 2, 3, 4);
        assertThat(read(rows + " OFFSET ?", MANY)).isEmpty();
        assertThat(read(rows + " LIMIT ?", new BigDecimal("1e30"))).hasSize(4);
        assertThatThrownBy(() -> read(rows + " LIMIT ?", -1))
                .hasMessageContaining("number that is not negative");
    }

    @ParameterizedTest
    @CsvSource({
        "LIMIT 5000000000, 4",
        "OFFSET 4294967298, 0",
        "LIMIT 4294967298 OFFSET 1, 3",
        "LIMIT 2147483647 OFFSET 2147483647, 0"
    })
    void a_number_may_be_larger_than_an_integer(String limit, int rows) throws SQLException {
        for (String all :
                List.of(
                        "SELECT id FROM t ",
                        "SELECT id FROM t ORDER BY s ",
                        "SELECT x.id FROM t x JOIN t y ON x.s = y.s ")) {
            assertThat(Answers.rows(connection, all + limit)).as(all).hasSize(rows);
        }
    }

    private static List<Integer> read(String sql, Object... parameters) throws SQLException {
        List<Integer> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(result.getInt(1));
                }
            }
        }
        return rows;
    }
}
