package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Statements that compute for long without a row to show, and how they are stopped. */
@Timeout(180)
final class StopTest {
    private static final String ENDLESS =
            "SELECT count(*) FROM item x, item y, item z WHERE x.n + y.n + z.n < -5";

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:penstock:" + folder + "?create=true");
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE item (id INTEGER NOT NULL, n INTEGER, PRIMARY KEY (id))");
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO item VALUES (?, ?)")) {
            for (int i = 0; i < 5000; i++) {
                insert.setInt(1, i);
                insert.setInt(2, i);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ENDLESS,
                "SELECT x.id FROM item x JOIN item y ON x.n = y.n JOIN item z ON y.n > z.n + 5000"
                        + " JOIN item w ON w.n > z.n + y.n + 9000",
                "SELECT id FROM item x WHERE EXISTS (SELECT * FROM item y, item z WHERE y.n + z.n <"
                        + " x.n - 20000)"
            })
    void a_join_without_rows_ends_at_its_timeout(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException late =
                    catchThrowableOfType(SQLException.class, () -> readAll(statement, sql));
            if (late != null) {
                assertThat((Throwable) late).isInstanceOf(SQLTimeoutException.class);
                assertThat(late.getSQLState()).isEqualTo("57014");
            } else {
                assertThat(sql).isNotEqualTo(ENDLESS);
            }
            assertThat(readAll(statement, "SELECT id FROM item WHERE n < 7")).isEqualTo(7);
            assertThat(statement.executeUpdate("INSERT INTO item VALUES (9000, 1)")).isEqualTo(1);
        }
    }

    @Test
    void a_join_without_rows_can_be_cancelled() throws Exception {
        try (PreparedStatement query = connection.prepareStatement(ENDLESS)) {
            for (int i = 0; i < 2; i++) {
                CompletableFuture<SQLException> ended =
                        CompletableFuture.supplyAsync(() ->
                                catchThrowableOfType(
                                        SQLException.class,
                                        () -> {
                                            try (ResultSet result = query.executeQuery()) {
                                                result.next();
                                            }
                                        }));
                while (!ended.isDone()) {
                    query.cancel();
                    Thread.onSpinWait();
                }
                assertThat(ended.get().getSQLState()).isEqualTo("57014");
            }
        }
    }

    /** Calcite keeps a prepared statement locked while it changes rows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO item SELECT x.id + 90000, 0 FROM item x, item y, item z WHERE x.n +"
                        + " y.n + z.n < -5",
                "UPDATE item SET n = 0 WHERE n < (" + ENDLESS + ")",
                "DELETE FROM item WHERE n < (" + ENDLESS + ")"
            })
    void a_prepared_change_can_be_cancelled_and_closed(String sql) throws Exception {
        PreparedStatement change = connection.prepareStatement(sql);
        CompletableFuture<SQLException> cancelled = running(change);
        while (!cancelled.isDone()) {
            change.cancel();
            Thread.onSpinWait();
        }
        assertThat(cancelled.get().getSQLState()).isEqualTo("57014");
        CompletableFuture<SQLException> closed = running(change);
        change.close();
        assertThat((Throwable) closed.get()).isNotNull();
    }

    /** One thread watches the time of all statements. */
    @Test
    void a_prepared_change_ends_at_its_timeout_and_keeps_no_other_from_it() throws Exception {
        try (PreparedStatement first =
                        connection.prepareStatement(
                                "DELETE FROM item WHERE n < (" + ENDLESS + ")");
                PreparedStatement second = connection.prepareStatement(ENDLESS)) {
            first.setQueryTimeout(1);
            second.setQueryTimeout(1);
            CompletableFuture<SQLException> ended = running(first);
            assertThatThrownBy(() -> second.executeQuery().next())
                    .isInstanceOf(SQLTimeoutException.class);
            assertThat((Throwable) ended.get()).isInstanceOf(SQLTimeoutException.class);
        }
    }

    /** What a change ends with, which has begun. */
    private static CompletableFuture<SQLException> running(PreparedStatement change)
            throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<SQLException> ended =
                CompletableFuture.supplyAsync(() -> {
                    begun.countDown();
                    return catchThrowableOfType(SQLException.class, change::executeUpdate);
                });
        begun.await();
        return ended;
    }

    @Test
    void closing_the_connection_ends_a_join_without_rows() throws Exception {
        try (Connection stays = DriverManager.getConnection("jdbc:penstock:" + folder);
                Statement statement = connection.createStatement()) {
            assertThat(stays.isValid(0)).isTrue();
            CountDownLatch begun = new CountDownLatch(1);
            CompletableFuture<SQLException> ended =
                    CompletableFuture.supplyAsync(() -> {
                        begun.countDown();
                        return catchThrowableOfType(
                                SQLException.class, () -> readAll(statement, ENDLESS));
                    });
            begun.await();
            connection.close();
            assertThat((Throwable) ended.get()).isNotNull();
            assertThat(statement.isClosed()).isTrue();
        }
    }

    private static int readAll(Statement statement, String sql) throws SQLException {
        int rows = 0;
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows++;
            }
        }
        return rows;
    }
}
