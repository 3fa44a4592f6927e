package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Setters of prepared statements: each sets what it is given, or refuses it. */
final class SettersTest {
    private static final String INSERT =
            "UPSERT INTO t (name, n, born, clock, seen, u, id) VALUES (?, ?, ?, ?, ?, ?, ?)";
    private static final String UPDATE =
            "UPDATE t SET name = ?, n = ?, born = ?, clock = ?, seen = ?, u = ? WHERE id = ?";

    @TempDir private static Path folder;

    private static Connection connection;

    @BeforeAll
    static void open() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE t (id INTEGER NOT NULL, name VARCHAR(20), n DECIMAL(9,2), born"
                            + " DATE, clock TIME, seen TIMESTAMP, u UUID, PRIMARY KEY (id))");
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    @BeforeEach
    void store() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "UPSERT INTO t VALUES (1, 'before', 1, DATE '2000-01-01', TIME '01:00:00',"
                            + " TIMESTAMP '2000-01-01 00:00:00', NULL)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {INSERT, UPDATE})
    void a_named_type_changes_nothing(String sql) throws SQLException {
        UUID id = new UUID(7, 8);
        try (PreparedStatement change = connection.prepareStatement(sql)) {
            change.setObject(1, "x", JDBCType.VARCHAR);
            change.setObject(2, "2.5", Types.DECIMAL, 2);
            change.setObject(3, Date.valueOf("2026-01-02"), Types.DATE);
            change.setObject(4, Time.valueOf("03:04:05"), Types.TIME);
            change.setObject(5, Timestamp.valueOf("2026-01-02 03:04:05.125"), Types.TIMESTAMP);
            change.setObject(6, id, Types.OTHER);
            change.setObject(7, 1, Types.INTEGER);
            assertThat(change.executeUpdate()).isOne();
            assertStored("x|2.50|2026-01-02|03:04:05.000|2026-01-02 03:04:05.125|" + id);
            change.setObject(1, LocalDate.of(2026, 5, 6), Types.VARCHAR);
            change.setObject(2, BigDecimal.TEN, JDBCType.NUMERIC, 4);
            change.setObject(3, LocalDate.of(2026, 5, 6), Types.DATE);
            change.setObject(4, null, Types.TIME);
            change.setObject(5, LocalDateTime.of(2026, 5, 6, 7, 8), Types.TIMESTAMP);
            change.setObject(6, id.toString(), JDBCType.OTHER);
            assertThat(change.executeUpdate()).isOne();
            assertStored("2026-05-06|10.00|2026-05-06|null|2026-05-06 07:08:00.000|" + id);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {INSERT, UPDATE})
    void a_null_of_a_named_type_is_null(String sql) throws SQLException {
        try (PreparedStatement change = connection.prepareStatement(sql)) {
            change.setString(1, "x");
            change.setInt(7, 1);
            for (int i = 2; i <= 6; i++) {
                change.setNull(i, Types.OTHER);
            }
            change.executeUpdate();
            assertStored("x|null|null|null|null|null");
            change.setNull(1, Types.VARCHAR, "VARCHAR");
            change.executeUpdate();
            assertStored("null|null|null|null|null|null");
        }
    }

    /** Calcite's would be called, do nothing, and leave the value before in its place. */
    @ParameterizedTest
    @ValueSource(strings = {INSERT, UPDATE})
    void what_is_not_supported_is_refused(String sql) throws Exception {
        List<String> refused = new ArrayList<>();
        try (PreparedStatement change = connection.prepareStatement(sql)) {
            for (Method method : PreparedStatement.class.getMethods()) {
                if (method.getName().matches("set.*(Stream|lob|URL|Ref|Array|RowId|XML)")) {
                    assertThatThrownBy(() -> call(change, method))
                            .as(method.toString())
                            .isInstanceOf(SQLFeatureNotSupportedException.class)
                            .hasMessageContaining(method.getName());
                    refused.add(method.getName());
                }
            }
        }
        assertThat(refused).hasSizeGreaterThan(20).contains("setClob", "setBinaryStream");
    }

    private static void call(PreparedStatement statement, Method method) throws Throwable {
        @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            arguments[i] = type == int.class ? (Object) 1 : type == long.class ? (Object) 1L : null;
        }
        try {
            method.invoke(statement, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {INSERT, UPDATE})
    void a_time_keeps_its_milliseconds(String sql) throws SQLException {
        Time time = new Time(Time.valueOf("03:04:05").getTime() + 678);
        try (PreparedStatement change = connection.prepareStatement(sql)) {
            for (int i = 1; i <= 6; i++) {
                change.setNull(i, Types.OTHER);
            }
            change.setTime(4, time);
            change.setInt(7, 1);
            change.executeUpdate();
        }
        assertStored("null|null|null|03:04:05.678|null|null");
    }

    private static void assertStored(String row) throws SQLException {
        assertThat(
                        Answers.rows(
                                connection,
                                "SELECT name, n, born, clock, seen, u FROM t WHERE id = 1"))
                .containsExactly(row);
    }
}
