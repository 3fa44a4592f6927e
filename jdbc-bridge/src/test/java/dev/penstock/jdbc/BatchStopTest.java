package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How a batch is stopped: what runs ends, and what comes after it does not begin. */
@Timeout(120)
final class BatchStopTest {
    /** More than a second's work, one at a time. */
    private static final int MANY = 200_000;

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        statement = connection.createStatement();
        statement.execute("CREATE TABLE early (id INTEGER NOT NULL, n INTEGER, PRIMARY KEY (id))");
        statement.execute("CREATE TABLE late (id INTEGER NOT NULL, n INTEGER, PRIMARY KEY (id))");
    }

    @AfterEach
    void close() throws SQLException {
        statement.close();
        connection.close();
    }

    @Test
    void a_cancelled_copy_ends_its_batch_and_leaves_nothing() throws Exception {
        addLoads();
        CompletableFuture<BatchUpdateException> ended = failing(statement);
        awaitLoad();
        statement.cancel();
        BatchUpdateException failure = ended.get(20, TimeUnit.SECONDS);
        assertThat((Throwable) failure).hasMessageContaining("nothing of its load is visible");
        assertNothingRan(failure);

        statement.addBatch("COPY late FROM '" + rows() + "' (HEADER false)");
        assertThat(statement.executeBatch()).containsExactly(2);
    }

    @Test
    void a_statement_that_is_closed_ends_its_batch() throws Exception {
        addLoads();
        CompletableFuture<BatchUpdateException> ended = failing(statement);
        awaitLoad();
        statement.close();
        assertNothingRan(ended.get(20, TimeUnit.SECONDS));
    }

    @Test
    void a_copy_of_a_batch_has_a_query_timeout() throws Exception {
        addLoads();
        statement.setQueryTimeout(1);
        BatchUpdateException failure = failing(statement).get(20, TimeUnit.SECONDS);
        assertThat(failure.getCause()).isInstanceOf(SQLTimeoutException.class);
        assertNothingRan(failure);
    }

    @Test
    void the_query_timeout_is_that_of_all_texts_together() throws Exception {
        for (int i = 0; i < MANY; i++) {
            statement.addBatch("INSERT INTO early VALUES (" + i + ", 1)");
        }
        statement.setQueryTimeout(1);
        assertTimeout(failing(statement).get());
        assertThat(statement.executeUpdate("INSERT INTO late VALUES (1, 1)")).isOne();
    }

    @Test
    void the_query_timeout_is_that_of_all_rows_together() throws Exception {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE early SET n = ? WHERE id = ?")) {
            for (int i = 0; i < MANY; i++) {
                update.setInt(1, i);
                update.setInt(2, i);
                update.addBatch();
            }
            update.setQueryTimeout(1);
            assertTimeout(failing(update).get());
            assertThat(update.executeUpdate()).isZero();
        }
    }

    /** Of what was before the timeout, the counts are told. */
    private static void assertTimeout(BatchUpdateException failure) {
        assertThat((Throwable) failure).hasMessageContaining("longer than its query timeout");
        assertThat(failure.getCause()).isInstanceOf(SQLTimeoutException.class);
        assertThat(failure.getSQLState()).isEqualTo("57014");
        assertThat(failure.getUpdateCounts()).hasSizeBetween(1, MANY - 1);
    }

    private void assertNothingRan(BatchUpdateException failure) throws SQLException {
        assertThat(failure.getSQLState()).isEqualTo("57014");
        assertThat(failure.getUpdateCounts()).isEmpty();
        for (String table : List.of("early", "late")) {
            assertThat(Answers.rows(connection, "SELECT count(*) FROM " + table))
                    .containsExactly("0");
        }
        assertThat(Answers.rows(connection, "SELECT table_name, state FROM penstock_loads"))
                .containsExactly("early|CANCELLED");
    }

    /** Two loads, the first of which waits for somebody to write into a pipe. */
    private void addLoads() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        statement.addBatch("COPY early FROM '" + pipe + "' (HEADER false)");
        statement.addBatch("COPY late FROM '" + rows() + "' (HEADER false)");
    }

    private Path rows() throws IOException {
        return Files.writeString(folder.resolve("rows.csv"), "1,1\n2,2\n");
    }

    private void awaitLoad() throws SQLException {
        String running = "SELECT table_name FROM penstock_loads WHERE state = 'RUNNING'";
        while (!Answers.rows(connection, running).equals(List.of("early"))) {
            Thread.onSpinWait();
        }
    }

    /** What the batch ends with. */
    private static CompletableFuture<BatchUpdateException> failing(Statement batch) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowableOfType(BatchUpdateException.class, batch::executeBatch));
    }
}
