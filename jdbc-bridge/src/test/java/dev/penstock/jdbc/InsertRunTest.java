package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.Penstock;
import dev.penstock.sql.BatchInsert;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;

/** When an INSERT without a plan is stopped. */
final class InsertRunTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_stops_an_insert_before_it_writes_is_not_forgotten(boolean remote) throws Exception {
        try (Connection connection = NewStore.connect(folder)) {
            BatchInsert insert = insert(connection);
            InsertRun run = new InsertRun(remote);
            run.begin();
            run.cancel();
            RuntimeException failure = run.run(insert, row(1)).failure();
            assertThat((Throwable) run.failed(Objects.requireNonNull(failure), true))
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessage("The statement took longer than its query timeout.");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(Answers.rows(connection, "SELECT * FROM t")).isEmpty();

            run.begin();
            assertThat(run.run(insert, row(2)).failure()).isNull();
            assertThat(Answers.rows(connection, "SELECT * FROM t")).containsExactly("2");
        }
    }

    @Test
    void what_comes_after_an_insert_does_not_stop_the_next() throws Exception {
        try (Connection connection = NewStore.connect(folder)) {
            BatchInsert insert = insert(connection);
            InsertRun run = new InsertRun(true);
            run.begin();
            assertThat(run.run(insert, row(1)).failure()).isNull();
            run.cancel();
            run.begin();
            assertThat(run.run(insert, row(2)).failure()).isNull();
        }
    }

    private static BatchInsert insert(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER NOT NULL, PRIMARY KEY (id))");
        }
        Penstock store = connection.unwrap(PenstockConnection.class).store();
        return Objects.requireNonNull(BatchInsert.of(store, "INSERT INTO t VALUES (?)"));
    }

    private static List<@Nullable Object[]> row(int id) {
        return List.<@Nullable Object[]>of(new @Nullable Object[] {id});
    }
}
