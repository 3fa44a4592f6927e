package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.kv.Penstock;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What is said when a server's process dies, or hangs, in the middle of a statement. */
@Timeout(180)
final class LostServerTest {
    private static final int ROWS = 200_000;

    /** More than one statement changes without a load of its own. */
    private static final int MANY_ROWS = 20_000;

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // started before each test
    private ServerChild server;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void begin() throws Exception {
        start();
        change("CREATE TABLE sale (id BIGINT NOT NULL, name VARCHAR(40), PRIMARY KEY (id))");
    }

    private void start() throws Exception {
        server = ServerChild.start(folder.resolve("data"));
        connection = DriverManager.getConnection("jdbc:penstock://" + server.address() + "/");
    }

    private void restart() throws Exception {
        connection.close();
        start();
    }

    @AfterEach
    void stop() throws SQLException {
        connection.close();
        server.close();
    }

    @Test
    void a_select_ends_with_the_name_of_the_server() throws SQLException {
        load(lines(0, ROWS));
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT id, name FROM sale")) {
            assertThat(result.next()).isTrue();
            server.kill();
            assertLost(
                    catchThrowableOfType(
                            SQLException.class,
                            () -> {
                                while (result.next()) {
                                    assertThat(result.getLong(1)).isNotNegative();
                                }
                            }));
        }
    }

    @Test
    void a_copy_ends_with_the_name_of_the_server() throws Exception {
        InputStream dying =
                new InputStream() {
                    @Override
                    public int read() {
                        server.kill();
                        return -1;
                    }

                    @Override
                    public int read(byte[] target, int offset, int length) {
                        return read();
                    }
                };
        InputStream rows = new SequenceInputStream(lines(0, ROWS), dying);
        assertLost(
                catchThrowableOfType(
                        SQLException.class,
                        () -> load(new SequenceInputStream(rows, lines(ROWS, 2 * ROWS)))));
        restart();
        assertThat(Answers.rows(connection, "SELECT count(*) FROM sale")).containsExactly("0");
    }

    /** The statement is one that does not end, so that the server dies in the middle of it. */
    @ParameterizedTest
    @ValueSource(strings = {"INSERT INTO", "UPSERT INTO"})
    void a_statement_of_many_rows_leaves_none_of_them(String verb) throws Exception {
        load(lines(0, MANY_ROWS));
        change("CREATE TABLE copy (id BIGINT NOT NULL, name VARCHAR(40), PRIMARY KEY (id))");
        change("INSERT INTO copy VALUES (1, 'that was there before')");
        String endless =
                verb
                        + " copy SELECT id + 2, name FROM sale UNION ALL SELECT x.id, x.name FROM"
                        + " sale x, sale y, sale z WHERE x.id + y.id + z.id < -5";
        CompletableFuture<SQLException> lost =
                CompletableFuture.supplyAsync(
                        () -> catchThrowableOfType(SQLException.class, () -> change(endless)));
        try (Penstock store = Penstock.connect(server.address())) {
            while (store.status().runningLoads().isEmpty()) {
                assertThat(lost).isNotDone();
            }
        }
        server.kill();
        assertLost(lost.get());
        restart();
        assertThat(Answers.rows(connection, "SELECT id, name FROM copy"))
                .containsExactly("1|that was there before");
        assertThat(change("INSERT INTO copy SELECT id + 2, name FROM sale")).isEqualTo(MANY_ROWS);
    }

    @Test
    void an_insert_ends_with_the_name_of_the_server() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO sale (id) VALUES (?)")) {
            insert.setInt(1, 1);
            assertThat(insert.executeUpdate()).isEqualTo(1);
            server.kill();
            insert.setInt(1, 2);
            assertLost(catchThrowableOfType(SQLException.class, insert::executeUpdate));
            insert.addBatch();
            assertLost(catchThrowableOfType(SQLException.class, insert::executeBatch));
        }
        SQLException refused =
                catchThrowableOfType(
                        SQLException.class,
                        () ->
                                DriverManager.getConnection(
                                        "jdbc:penstock://" + server.address() + "/"));
        assertLost(refused);
        assertThat(refused.getSQLState()).isEqualTo("08001");
    }

    @Test
    void an_insert_that_waits_for_a_server_has_a_timeout_and_can_be_cancelled() throws Exception {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO sale (id) VALUES (?)")) {
            insert.setInt(1, 1);
            insert.executeUpdate();
            server.freeze();
            insert.setQueryTimeout(1);
            insert.setInt(1, 2);
            SQLException late = catchThrowableOfType(SQLException.class, insert::executeUpdate);
            assertThat((Throwable) late).isInstanceOf(SQLTimeoutException.class);
            assertThat((Throwable) late)
                    .hasMessageContaining("whether its last rows are stored is not known");
            assertThat(late.getSQLState()).isEqualTo("57014");
            insert.setQueryTimeout(0);
            insert.setInt(1, 3);
            CompletableFuture<SQLException> cancelled =
                    CompletableFuture.supplyAsync(
                            () -> catchThrowableOfType(SQLException.class, insert::executeUpdate));
            while (!cancelled.isDone()) {
                insert.cancel();
                Thread.onSpinWait();
            }
            assertThat(cancelled.get().getSQLState()).isEqualTo("57014");
            server.thaw();
            insert.setInt(1, 4);
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
        assertThat(Answers.rows(connection, "SELECT id FROM sale WHERE id IN (1, 4) ORDER BY id"))
                .isEqualTo(List.of("1", "4"));
    }

    @Test
    void a_select_that_waits_for_a_server_has_a_timeout_and_can_be_cancelled() throws Exception {
        load(lines(0, ROWS));
        try (PreparedStatement count = connection.prepareStatement("SELECT count(*) FROM sale");
                PreparedStatement rows = connection.prepareStatement("SELECT name FROM sale");
                Statement planned = connection.createStatement();
                ResultSet begun = rows.executeQuery()) {
            assertThat(begun.next()).isTrue();
            server.freeze();
            count.setQueryTimeout(1);
            assertThatThrownBy(count::executeQuery)
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessageContaining("longer than its query timeout");
            assertCancelled(planned, () -> planned.executeQuery("SELECT max(id) FROM sale"));
            assertCancelled(
                    rows,
                    () -> {
                        while (begun.next()) {
                            assertThat(begun.getString(1)).startsWith("name");
                        }
                    });
            server.thaw();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            try (ResultSet result = count.executeQuery()) {
                assertThat(result.next()).isTrue();
                assertThat(result.getInt(1)).isEqualTo(ROWS);
            }
        }
    }

    private static void assertCancelled(Statement statement, ThrowingCallable waiting)
            throws Exception {
        CompletableFuture<SQLException> ended =
                CompletableFuture.supplyAsync(
                        () -> catchThrowableOfType(SQLException.class, waiting));
        while (!ended.isDone()) {
            statement.cancel();
            Thread.onSpinWait();
        }
        assertThat((Throwable) ended.get()).hasMessageContaining("cancelled");
        assertThat(ended.get().getSQLState()).isEqualTo("57014");
    }

    @Test
    void a_connection_to_a_server_that_hangs_or_is_dead_is_not_valid() throws Exception {
        assertThat(connection.isValid(0)).isTrue();
        assertThat(connection.isValid(60)).isTrue();
        server.freeze();
        assertThat(connection.isValid(1)).isFalse();
        server.thaw();
        assertThat(connection.isValid(60)).isTrue();
        server.kill();
        assertThat(connection.isValid(60)).isFalse();
        connection.close();
        assertThat(connection.isValid(60)).isFalse();
    }

    @Test
    void a_connection_is_closed_though_its_server_hangs() throws Exception {
        load(lines(0, ROWS));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT id, name FROM sale");
        assertThat(result.next()).isTrue();
        server.freeze();
        Statement waiting = connection.createStatement();
        CompletableFuture<SQLException> ended =
                CompletableFuture.supplyAsync(() ->
                        catchThrowableOfType(
                                SQLException.class,
                                () -> waiting.executeQuery("SELECT count(*) FROM sale")));
        CompletableFuture.runAsync(
                        () -> {
                            try {
                                connection.close();
                            } catch (SQLException e) {
                                throw new IllegalStateException(e);
                            }
                        })
                .get(30, TimeUnit.SECONDS);
        assertThat((Throwable) ended.get(30, TimeUnit.SECONDS)).isNotNull();
        assertThat(statement.isClosed()).isTrue();
        assertThat(waiting.isClosed()).isTrue();
    }

    private int change(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private void assertLost(SQLException failure) {
        assertThat(failure.getSQLState()).as(failure.toString()).startsWith("08");
        assertThat(failure.getMessage()).doesNotContain("\n").contains(server.address());
    }

    private void load(InputStream lines) throws SQLException {
        connection
                .unwrap(PenstockConnection.class)
                .bulkLoad("sale")
                .delimiter(',')
                .header(false)
                .from(lines)
                .run();
    }

    private static InputStream lines(int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int id = from; id < to; id++) {
            text.append(id).append(",name that nobody else has ").append(id).append('\n');
        }
        return new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
