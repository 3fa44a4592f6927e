package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What the getters of a statement's result answer, and what they refuse. */
final class StatementResultTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        statement = connection.createStatement();
        statement.execute(
                "CREATE TABLE v (id INTEGER NOT NULL, l BIGINT, m DECIMAL(18,10), w DECIMAL(30,2),"
                        + " d DOUBLE, t VARCHAR(20), b BOOLEAN, PRIMARY KEY (id))");
        statement.executeUpdate(
                "INSERT INTO v VALUES (1, 6000000000, 0.0000000001, 10000000000000000000.75, 1e300,"
                        + " 'x', TRUE), (2, -129, -12.9999999999, -9223372036854775808.99, -200.9,"
                        + " 'y', FALSE), (3, NULL, NULL, NULL, NULL, NULL, NULL)");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private ResultSet row(int id) throws SQLException {
        ResultSet row = statement.executeQuery("SELECT * FROM v WHERE id = " + id);
        assertThat(row.next()).isTrue();
        return row;
    }

    @ParameterizedTest
    @CsvSource({
        "1, l, Int, 6000000000",
        "1, l, Short, 6000000000",
        "2, l, Byte, -129",
        "1, w, Long, 10000000000000000000.75",
        "1, w, Int, 10000000000000000000.75",
        "2, w, Int, -9223372036854775808",
        "1, d, Long, 1.0E300",
        "2, d, Byte, -200",
        "1, d, Float, 1.0E300"
    })
    void a_number_that_does_not_fit_is_refused(int id, String column, String type, String value)
            throws SQLException {
        try (ResultSet row = row(id)) {
            SQLException refused =
                    catchThrowableOfType(
                            SQLException.class,
                            () -> {
                                switch (type) {
                                    case "Int" -> row.getInt(column);
                                    case "Short" -> row.getShort(column);
                                    case "Byte" -> row.getByte(column);
                                    case "Float" -> row.getFloat(column);
                                    default -> row.getLong(column);
                                }
                            });
            assertThat((Throwable) refused).hasMessage(value + " does not fit the type asked for");
            assertThat(refused.getSQLState()).isEqualTo("22003");
        }
    }

    @Test
    void a_number_that_fits_is_read_as_any_type_without_its_digits_after_the_point()
            throws SQLException {
        try (ResultSet row = row(2)) {
            assertThat(row.getInt("l")).isEqualTo(-129);
            assertThat(row.getShort(2)).isEqualTo((short) -129);
            assertThat(row.getByte("m")).isEqualTo((byte) -12);
            assertThat(row.getLong("w")).isEqualTo(Long.MIN_VALUE);
            assertThat(row.getInt("d")).isEqualTo(-200);
            assertThat(row.getDouble("l")).isEqualTo(-129.0);
            assertThat(row.getFloat("d")).isEqualTo(-200.9f);
            assertThat(row.getBigDecimal("d")).isEqualByComparingTo("-200.9");
            assertThat(scaled(row)).isEqualTo(new BigDecimal("-13.00"));
            assertThat(row.getBoolean("b")).isFalse();
            assertThat(row.wasNull()).isFalse();
        }
    }

    @SuppressWarnings("deprecation") // programs still call it
    private static BigDecimal scaled(ResultSet row) throws SQLException {
        return row.getBigDecimal("m", 2);
    }

    @Test
    void decimals_have_no_exponent_as_text() throws SQLException {
        try (ResultSet row = row(1)) {
            assertThat(row.getString("m")).isEqualTo("0.0000000001");
            assertThat(row.getNString(3)).isEqualTo("0.0000000001");
            assertThat(row.getObject("m", String.class)).isEqualTo("0.0000000001");
            assertThat(row.getString("w")).isEqualTo("10000000000000000000.75");
            assertThat(row.getString("d")).isEqualTo("1.0E300");
        }
    }

    @Test
    void null_is_zero_as_a_number() throws SQLException {
        try (ResultSet row = row(3)) {
            for (String column : new String[] {"l", "m", "w", "d"}) {
                assertThat(row.getInt(column)).as(column).isZero();
                assertThat(row.wasNull()).as(column).isTrue();
                assertThat(row.getLong(column)).as(column).isZero();
                assertThat(row.wasNull()).as(column).isTrue();
                assertThat(row.getDouble(column)).as(column).isZero();
                assertThat(row.getBigDecimal(column)).as(column).isNull();
                assertThat(row.getString(column)).as(column).isNull();
                assertThat(row.getObject(column)).as(column).isNull();
            }
            assertThat(row.getBoolean("b")).isFalse();
            assertThat(row.getString("t")).isNull();
        }
    }

    @Test
    void a_result_knows_its_statement_its_columns_and_its_end() throws SQLException {
        ResultSet rows = statement.executeQuery("SELECT id, t FROM v ORDER BY id");
        assertThat(rows.getStatement()).isSameAs(statement);
        assertThat(rows.unwrap(ResultSet.class)).isSameAs(rows);
        assertThat(rows.isWrapperFor(Connection.class)).isFalse();
        assertThat(rows.findColumn("T")).isEqualTo(2);
        assertThat(rows.getMetaData().getColumnCount()).isEqualTo(2);
        assertThat(rows.getType()).isEqualTo(ResultSet.TYPE_FORWARD_ONLY);
        assertThat(rows.next()).isTrue();
        assertThat(rows.getRow()).isEqualTo(1);
        SQLException none = catchThrowableOfType(SQLException.class, () -> rows.getInt(3));
        assertThat(none.getSQLState()).isNotBlank();
        assertThat(rows.next()).isTrue();
        assertThat(rows.next()).isTrue();
        assertThat(rows.next()).isFalse();
        assertThat(rows.rowUpdated()).isFalse();
        rows.close();
        assertThat(rows.isClosed()).isTrue();
        ResultSet again = statement.getResultSet();
        assertThat(again == null || again.isClosed()).isTrue();
        assertThat((Throwable) catchThrowableOfType(SQLException.class, rows::next)).isNotNull();
    }
}
