package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Doubles and floats that an appender gets for columns of other types. */
final class AppendedNumbersTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE price (id INTEGER NOT NULL, n DECIMAL(30,10), name VARCHAR(20), d"
                            + " DOUBLE, PRIMARY KEY (id))");
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private RowAppender appender(String... columns) throws SQLException {
        return connection
                .unwrap(PenstockConnection.class)
                .bulkLoad("price")
                .columns(columns)
                .appender();
    }

    @Test
    void a_decimal_takes_numbers_of_every_size() throws SQLException {
        try (RowAppender rows = appender()) {
            rows.append(1).append(12345678.5).append(12345678.5).append(12345678.5).endRow();
            rows.append(2).append(1.5e-7).append("x").append(1.5e-7).endRow();
            rows.append(3).append(1e18f).append("x").append(1e18f).endRow();
            rows.append(4).append((Object) (-3e9)).append("x").append((Object) 1e300).endRow();
            rows.append(5).append(-0.0).append("x").append(Double.NaN).endRow();
            rows.finish();
        }
        assertThat(Answers.rows(connection, "SELECT id, n, name FROM price ORDER BY id"))
                .containsExactly(
                        "1|12345678.5000000000|1.23456785E7",
                        "2|0.0000001500|x",
                        "3|1000000000000000000.0000000000|x",
                        "4|-3000000000.0000000000|x",
                        "5|0.0000000000|x");
        assertThat(Answers.rows(connection, "SELECT d FROM price ORDER BY id"))
                .containsExactly("1.23456785E7", "1.5E-7", "1.0E18", "1.0E300", "NaN");
    }

    @Test
    void it_does_so_wherever_it_stands() throws SQLException {
        try (RowAppender rows = appender("D", "-", "N", "id")) {
            rows.append(2e9).append("skipped").append(2e9).append(1).endRow();
            rows.append(3e9).append("skipped").append(3e9).append(2).endRow();
            rows.finish();
        }
        assertThat(Answers.rows(connection, "SELECT id, n, d FROM price ORDER BY id"))
                .containsExactly("1|2000000000.0000000000|2.0E9", "2|3000000000.0000000000|3.0E9");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void what_is_no_number_is_refused_by_its_name(double value) throws SQLException {
        try (RowAppender rows = appender("id", "n")) {
            rows.append(1).append(value).endRow();
            assertThatThrownBy(rows::finish)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining(Double.toString(value));
        }
    }
}
