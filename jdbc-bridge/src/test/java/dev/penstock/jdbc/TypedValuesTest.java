package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;

/** Values read as a class that the caller names. */
final class TypedValuesTest {
    private static final List<Class<?>> CLASSES =
            List.of(
                    Object.class,
                    String.class,
                    Boolean.class,
                    Byte.class,
                    Short.class,
                    Integer.class,
                    Long.class,
                    BigInteger.class,
                    BigDecimal.class,
                    Float.class,
                    Double.class,
                    Date.class,
                    Time.class,
                    Timestamp.class,
                    LocalDate.class,
                    LocalTime.class,
                    LocalDateTime.class,
                    UUID.class,
                    byte[].class);

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Statement statement;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private ResultSet row;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        statement = connection.createStatement();
        statement.execute(
                "CREATE TABLE t (id INTEGER NOT NULL, yes BOOLEAN, small SMALLINT, big BIGINT, n"
                    + " DECIMAL(30,4), r REAL, d DOUBLE, day DATE, hour TIME, seen TIMESTAMP, name"
                    + " VARCHAR(40), u UUID, raw VARBINARY(4), PRIMARY KEY (id))");
        statement.execute(
                "INSERT INTO t VALUES (1, true, 300, 5000000000, 12345678901234567890.5, 0.5,"
                        + " 1e300, DATE '0001-01-01', TIME '23:59:58.123', TIMESTAMP '1500-02-28"
                        + " 02:30:00.5', '42', '00000000-0000-0001-0000-000000000002', X'01ab')");
        statement.execute("INSERT INTO t (id) VALUES (2)");
        row = statement.executeQuery("SELECT * FROM t ORDER BY id");
        assertThat(row.next()).isTrue();
    }

    @AfterEach
    void close() throws SQLException {
        row.close();
        statement.close();
        connection.close();
    }

    @Test
    void every_type_is_read_as_its_class() throws SQLException {
        assertThat(row.getObject(1, Integer.class)).isEqualTo(1);
        assertThat(row.getObject("yes", Boolean.class)).isTrue();
        assertThat(row.getObject("SMALL", Short.class)).isEqualTo((short) 300);
        assertThat(row.getObject("big", Long.class)).isEqualTo(5_000_000_000L);
        assertThat(row.getObject("n", BigDecimal.class))
                .isEqualTo(new BigDecimal("12345678901234567890.5000"));
        assertThat(row.getObject("r", Float.class)).isEqualTo(0.5f);
        assertThat(row.getObject("d", Double.class)).isEqualTo(1e300);
        assertThat(row.getObject("day", LocalDate.class)).isEqualTo(LocalDate.of(1, 1, 1));
        assertThat(row.getObject("hour", LocalTime.class)).isEqualTo("23:59:58.123");
        assertThat(row.getObject("seen", LocalDateTime.class)).isEqualTo("1500-02-28T02:30:00.500");
        assertThat(row.getObject("name", String.class)).isEqualTo("42");
        assertThat(row.getObject("u", UUID.class)).isEqualTo(new UUID(1, 2));
        assertThat(row.getObject("raw", byte[].class)).containsExactly(1, 0xab);
        assertThat(row.wasNull()).isFalse();
    }

    @Test
    void what_has_a_method_of_its_own_is_the_same() throws SQLException {
        assertThat(row.getObject("day", Date.class)).isEqualTo(row.getDate("day"));
        assertThat(row.getObject("hour", Time.class)).isEqualTo(row.getTime("hour"));
        assertThat(row.getObject("seen", Timestamp.class)).isEqualTo(row.getTimestamp("seen"));
        for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
            assertThat(row.getObject(column, Object.class)).isEqualTo(row.getObject(column));
            assertThat(row.getObject(column, String.class)).isEqualTo(row.getString(column));
        }
    }

    @Test
    void what_a_class_can_hold_is_converted() throws SQLException {
        assertThat(row.getObject("id", Byte.class)).isEqualTo((byte) 1);
        assertThat(row.getObject("id", Boolean.class)).isTrue();
        assertThat(row.getObject("yes", Integer.class)).isEqualTo(1);
        assertThat(row.getObject("small", BigDecimal.class)).isEqualTo("300");
        assertThat(row.getObject("small", Double.class)).isEqualTo(300);
        assertThat(row.getObject("n", BigInteger.class)).isEqualTo("12345678901234567890");
        assertThat(row.getObject("r", Double.class)).isEqualTo(0.5);
        assertThat(row.getObject("r", Integer.class)).isZero();
        assertThat(row.getObject("name", Long.class)).isEqualTo(42);
        assertThat(row.getObject("day", LocalDateTime.class)).isEqualTo("0001-01-01T00:00:00");
        assertThat(row.getObject("seen", LocalDate.class)).isEqualTo("1500-02-28");
        assertThat(row.getObject("seen", LocalTime.class)).isEqualTo("02:30:00.500");
    }

    @Test
    void null_is_null_of_every_class() throws SQLException {
        assertThat(row.next()).isTrue();
        for (Class<?> type : CLASSES) {
            for (int column = 2; column <= row.getMetaData().getColumnCount(); column++) {
                assertThat(row.getObject(1, Integer.class)).isEqualTo(2);
                assertThat(row.wasNull()).isFalse();
                assertThat((Object) row.getObject(column, type)).isNull();
                assertThat(row.wasNull()).isTrue();
            }
        }
    }

    @Test
    void what_a_class_cannot_hold_is_refused() {
        assertRefused("small", Byte.class, "22003");
        assertRefused("big", Integer.class, "22003");
        assertRefused("n", Long.class, "22003");
        assertRefused("d", Float.class, "22003");
        assertRefused("name", UUID.class, "22018");
        assertRefused("name", LocalDate.class, "22018");
        assertRefused("name", Boolean.class, "22018");
        assertRefused("name", byte[].class, "22018");
        assertRefused("hour", LocalDate.class, "22018");
        assertRefused("day", LocalTime.class, "22018");
        assertRefused("u", Integer.class, "22018");
        assertRefused("raw", BigDecimal.class, "22018");
    }

    private void assertRefused(String column, Class<?> type, String state) {
        SQLException refused =
                catchThrowableOfType(SQLException.class, () -> row.getObject(column, type));
        assertThat(refused.getSQLState()).as(column + ": " + refused).isEqualTo(state);
        assertThat(refused.getMessage())
                .startsWith("the value of column ")
                .endsWith(" cannot be read as " + type.getTypeName());
    }

    @Test
    void other_classes_and_columns_are_named() throws SQLException {
        assertThatThrownBy(() -> row.getObject(1, Instant.class))
                .isInstanceOf(SQLFeatureNotSupportedException.class)
                .hasMessage("values are not read as java.time.Instant");
        assertThatThrownBy(() -> row.getObject("nothing", String.class))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("nothing");
        assertThatThrownBy(() -> row.getObject(14, String.class)).isInstanceOf(SQLException.class);
        row.close();
        assertThatThrownBy(() -> row.getObject(1, String.class)).isInstanceOf(SQLException.class);
    }
}
