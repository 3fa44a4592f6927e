package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.NewStore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Sums over windows are as exact as those of groups. */
final class WindowSumsTest {
    @TempDir private Path folder;

    @Test
    void a_sum_of_bigint_does_not_overflow() throws SQLException {
        try (Connection connection = NewStore.connect(folder);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE t (id INTEGER NOT NULL, b BIGINT, c BIGINT NOT NULL, PRIMARY KEY"
                            + " (id))");
            statement.execute(
                    "INSERT INTO t VALUES (1, 9223372036854775807, 9223372036854775807), (2,"
                            + " 9223372036854775807, 5), (3, NULL, 1)");
            assertThat(
                            Answers.rows(
                                    connection,
                                    "SELECT id, SUM(b) OVER (ORDER BY id), SUM(c) OVER (), SUM(b)"
                                            + " OVER (PARTITION BY id) FROM t"))
                    .containsExactlyInAnyOrder(
                            "1|9223372036854775807|9223372036854775813|9223372036854775807",
                            "2|18446744073709551614|9223372036854775813|9223372036854775807",
                            "3|18446744073709551614|9223372036854775813|null");
            assertThat(Answers.rows(connection, "SELECT AVG(b) OVER () FROM t WHERE id < 3"))
                    .containsOnly("9.223372036854776E18");
            assertThat(
                            Answers.rows(
                                    connection,
                                    "SELECT id, SUM(COUNT(*)) OVER (ORDER BY id) FROM t GROUP BY"
                                            + " id"))
                    .containsExactlyInAnyOrder("1|1", "2|2", "3|3");
        }
    }
}
