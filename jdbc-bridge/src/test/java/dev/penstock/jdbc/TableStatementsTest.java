package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** CREATE TABLE and DROP TABLE. */
final class TableStatementsTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:penstock:" + folder);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void a_table_comes_and_goes() throws SQLException {
        assertThat(run("CREATE TABLE t (a INTEGER NOT NULL, b VARCHAR(5), PRIMARY KEY (a DESC));"))
                .isZero();
        run("INSERT INTO t VALUES (1, 'x'), (2, NULL)");
        assertState("CREATE TABLE T (a INTEGER)", "42P07");
        assertThat(run("CREATE TABLE IF NOT EXISTS t (other DATE)")).isZero();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(b), count(*) FROM t")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(1);
            assertThat(rows.getInt(2)).isEqualTo(2);
        }
        try (PreparedStatement drop = connection.prepareStatement("DROP TABLE t")) {
            assertThat(drop.execute()).isFalse();
            assertThat(drop.getUpdateCount()).isZero();
        }
        assertState("DROP TABLE t", "42P01");
        assertThat(run("DROP TABLE IF EXISTS t")).isZero();
        assertState("SELECT * FROM t", "42P01");
        run("CREATE TABLE t (a DATE)");
    }

    @Test
    void a_table_of_another_schema_is_left_alone() throws SQLException {
        run("CREATE TABLE people (a INTEGER)");
        assertState("DROP TABLE archive.people", "3F000");
        assertState("DROP TABLE IF EXISTS \"archive\".people", "3F000");
        assertState("COPY archive.people FROM 'x'", "3F000");
        assertThat(run("DROP TABLE penstock.people")).isZero();
    }

    @Test
    void what_cannot_be_declared_is_refused() {
        assertState("CREATE TABLE t", "42601");
        assertState("CREATE TABLE t (a JSON)", "42601");
        assertState("CREATE TABLE t AS SELECT 1", "42601");
        assertState("CREATE TABLE penstock_loads (a DATE)", "42P07");
        assertState("TRUNCATE TABLE t", "0A000");
        assertState("COPY nowhere FROM 'x'", "42P01");
    }

    @Test
    void a_command_gives_no_rows_and_a_closed_statement_runs_none() throws SQLException {
        Statement statement = connection.createStatement();
        assertThatThrownBy(() -> statement.executeQuery("DROP TABLE IF EXISTS t"))
                .hasMessageContaining("gives no rows");
        statement.close();
        assertThatThrownBy(() -> statement.execute("DROP TABLE IF EXISTS t"))
                .hasMessageContaining("closed");
    }

    private void assertState(String sql, String state) {
        assertThatThrownBy(() -> run(sql))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(state));
    }

    private int run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql) ? -1 : statement.getUpdateCount();
        }
    }
}
