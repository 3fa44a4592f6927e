package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.NewStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;

/** A day where a moment is expected is its midnight; of a moment the day counts. */
final class MixedTimesTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INT PRIMARY KEY, d DATE, s TIMESTAMP)");
            statement.execute(
                    "INSERT INTO t VALUES (1, DATE '2026-03-01', TIMESTAMP '2026-03-01 00:00:00'),"
                            + " (2, DATE '2026-03-02', TIMESTAMP '2026-03-02 08:00:00'),"
                            + " (3, DATE '2026-03-03', TIMESTAMP '2026-03-03 00:00:00')");
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private long count(String condition, boolean pushedDown, Object value) throws SQLException {
        String rows = pushedDown ? "t" : "(SELECT * FROM t LIMIT 100) AS w";
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT count(*) FROM " + rows + " WHERE " + condition)) {
            query.setObject(1, value);
            try (ResultSet result = query.executeQuery()) {
                assertThat(result.next()).isTrue();
                return result.getLong(1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "s >= ?, 2026-03-02, 2",
        "s > ?, 2026-03-03, 0",
        "s = ?, 2026-03-03, 1",
        "s < ?, 2026-03-02, 1"
    })
    void aDayIsItsMidnight(String condition, String day, long rows) throws SQLException {
        assertThat(count(condition, true, Date.valueOf(day))).as("pushed down").isEqualTo(rows);
        assertThat(count(condition, false, Date.valueOf(day))).as("computed").isEqualTo(rows);
    }

    @ParameterizedTest
    @CsvSource({"d = ?, 2026-03-02 00:00:00, 1", "d < ?, 2026-03-02 00:00:00, 1"})
    void aMidnightIsItsDay(String condition, String moment, long rows) throws SQLException {
        Timestamp value = Timestamp.valueOf(moment);
        assertThat(count(condition, true, value)).as("pushed down").isEqualTo(rows);
        assertThat(count(condition, false, value)).as("computed").isEqualTo(rows);
    }
}
