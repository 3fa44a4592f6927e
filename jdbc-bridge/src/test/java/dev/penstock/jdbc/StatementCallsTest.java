package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What statements answer where Calcite's would refuse a call, or say nothing. */
final class StatementCallsTest {
    private static final String ROWS = "SELECT id FROM t WHERE id < 5";
    private static final String UPDATE = "UPDATE t SET n = 1 WHERE id = 4";

    @TempDir private static Path folder;

    private static Connection connection;

    @BeforeAll
    static void open() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER NOT NULL, n INTEGER, PRIMARY KEY (id))");
            statement.execute("INSERT INTO t VALUES (1, 0), (2, 0), (3, 0), (4, 0)");
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    @Test
    void a_result_has_no_more_rows_than_are_wanted() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(ROWS);
                Statement statement = connection.createStatement()) {
            for (int most : new int[] {1, 3, 9, 0}) {
                int rows = most == 0 ? 4 : Math.min(4, most);
                prepared.setMaxRows(most);
                statement.setMaxRows(most);
                assertThat(count(prepared.executeQuery())).isEqualTo(rows);
                assertThat(prepared.execute()).isTrue();
                assertThat(count(prepared.getResultSet())).isEqualTo(rows);
                assertThat(count(statement.executeQuery(ROWS))).isEqualTo(rows);
            }
        }
    }

    private static int count(ResultSet result) throws SQLException {
        int rows = 0;
        try (result) {
            while (result.next()) {
                assertThat(result.getRow()).isEqualTo(++rows);
            }
            assertThat(result.isAfterLast()).isTrue();
            assertThat(result.getRow()).isZero();
            assertThat(result.next()).isFalse();
        }
        return rows;
    }

    @Test
    void a_parameter_without_a_value_is_named() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT id FROM t WHERE id < ? AND n < ?")) {
            query.setInt(1, 3);
            assertThatThrownBy(query::executeQuery).hasMessage("parameter 2 has no value");
            query.setInt(2, 1);
            assertThat(count(query.executeQuery())).isEqualTo(2);
        }
    }

    @Test
    void keys_may_be_asked_for_and_there_are_none() throws SQLException {
        String[] names = {"id"};
        int[] numbers = {1};
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.execute(UPDATE, Statement.RETURN_GENERATED_KEYS)).isFalse();
            assertThat(statement.getUpdateCount()).isOne();
            assertNoKeys(statement);
            assertThat(statement.executeUpdate(UPDATE, Statement.NO_GENERATED_KEYS)).isOne();
            assertThat(statement.executeUpdate(UPDATE, numbers)).isOne();
            assertThat(statement.executeUpdate(UPDATE, names)).isOne();
            assertThat(statement.executeLargeUpdate(UPDATE, names)).isOne();
            assertThat(statement.execute(ROWS, numbers)).isTrue();
            assertThat(statement.execute("DROP TABLE IF EXISTS u", names)).isFalse();
            assertNoKeys(statement);
        }
        try (PreparedStatement byNumber = connection.prepareStatement(UPDATE, numbers);
                PreparedStatement byName = connection.prepareStatement(UPDATE, names)) {
            assertThat(byNumber.executeUpdate()).isOne();
            assertNoKeys(byNumber);
            assertThat(byName.executeUpdate()).isOne();
            assertThatThrownBy(() -> byName.executeUpdate(UPDATE, numbers))
                    .hasMessageContaining("a prepared statement takes no other text");
        }
    }

    private static void assertNoKeys(Statement statement) throws SQLException {
        try (ResultSet keys = statement.getGeneratedKeys()) {
            assertThat(keys.getMetaData().getColumnCount()).isOne();
            assertThat(keys.next()).isFalse();
        }
        assertThat(statement.isClosed()).isFalse();
    }

    @Test
    void what_counts_gives_no_rows() throws SQLException {
        try (Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement(ROWS)) {
            assertNotCounted(() -> statement.executeUpdate(ROWS));
            assertNotCounted(() -> statement.executeLargeUpdate("EXPLAIN PLAN FOR " + ROWS));
            assertNotCounted(prepared::executeUpdate);
            statement.addBatch(UPDATE);
            statement.addBatch(ROWS);
            assertThat((Throwable) assertNotCounted(statement::executeBatch))
                    .isInstanceOfSatisfying(
                            BatchUpdateException.class,
                            e -> assertThat(e.getUpdateCounts()).containsExactly(1));
            prepared.addBatch();
            assertNotCounted(prepared::executeBatch);
            assertThat(count(prepared.executeQuery())).isEqualTo(4);
        }
    }

    private static SQLException assertNotCounted(ThrowingCallable call) {
        SQLException refused = catchThrowableOfType(SQLException.class, call);
        assertThat((Throwable) refused).hasMessageEndingWith("use executeQuery");
        assertThat(refused.getSQLState()).isEqualTo("42000");
        return refused;
    }

    @Test
    void the_time_runs_only_while_something_runs_or_is_read() throws SQLException {
        try (Statement statement = connection.createStatement();
                PreparedStatement update = connection.prepareStatement(UPDATE)) {
            statement.setQueryTimeout(600);
            update.setQueryTimeout(600);
            statement.executeUpdate(UPDATE);
            assertThat(isTimed(statement)).isFalse();
            assertThat(statement.execute(UPDATE)).isFalse();
            assertThat(isTimed(statement)).isFalse();
            update.executeUpdate();
            assertThat(isTimed(update)).isFalse();
            assertThat(update.execute()).isFalse();
            assertThat(isTimed(update)).isFalse();
            assertThatThrownBy(() -> statement.executeQuery("SELECT nothing FROM t"))
                    .isInstanceOf(SQLException.class);
            assertThat(isTimed(statement)).isFalse();
            try (ResultSet rows = statement.executeQuery(ROWS)) {
                assertThat(rows.next()).isTrue();
                assertThat(isTimed(statement)).isTrue();
            }
            assertThat(isTimed(statement)).isFalse();
            assertThat(statement.execute(ROWS)).isTrue();
            assertThat(isTimed(statement)).isTrue();
        }
    }

    private static boolean isTimed(Statement statement) {
        return ((StatementCalls) Proxy.getInvocationHandler(statement)).isTimed();
    }
}
