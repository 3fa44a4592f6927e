package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.Penstock;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Statements that change many rows of several regions: others see all of it, or nothing. */
@Timeout(120)
final class WholeStatementsTest {
    private static final int ROWS = 60_000;

    /** Many rows, and then a search without an end. */
    private static final String ENDLESS =
            "INSERT INTO t SELECT id, n FROM s UNION ALL SELECT x.id, x.n FROM s x, s y, s z WHERE"
                    + " x.id + y.id + z.id < -5";

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void fill() throws Exception {
        connection = NewStore.connect(folder);
        change("CREATE TABLE s (id INTEGER NOT NULL, n INTEGER, PRIMARY KEY (id))");
        change("CREATE TABLE t (id INTEGER NOT NULL, n INTEGER, PRIMARY KEY (id))");
        String lines =
                IntStream.range(0, ROWS).mapToObj(i -> i + ",0\n").collect(Collectors.joining());
        Path file = Files.writeString(folder.resolve("s.csv"), lines);
        change("COPY s FROM '" + file + "' (HEADER false)");
        split("t", 10_000, 20_000, 45_000);
    }

    private void split(String table, int... ids) throws SQLException {
        Penstock store = connection.unwrap(PenstockConnection.class).store();
        TableSchema schema = store.table(table).schema();
        ColumnBatch rows = ColumnBatch.forColumns(schema.columns(), ids.length);
        for (int i = 0; i < ids.length; i++) {
            rows.longs(0).values()[i] = ids[i];
        }
        KeyCodec keys = new KeyCodec(schema);
        List<byte[]> points =
                IntStream.range(0, ids.length).mapToObj(i -> keys.encode(rows, i)).toList();
        assertThat(store.loadTarget().preSplit(table, points).size()).isEqualTo(ids.length + 1);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "DELETE FROM t; INSERT INTO t SELECT id, 1 FROM s",
                "INSERT INTO t SELECT id, 0 FROM s; UPDATE t SET n = 1 WHERE n = 0",
                "INSERT INTO t SELECT id, 0 FROM s; UPSERT INTO t SELECT id, 1 FROM s"
            })
    void a_reader_sees_none_of_the_rows_or_all(String before, String statement) throws Exception {
        change(before);
        CountDownLatch reading = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Set<String>> seen =
                CompletableFuture.supplyAsync(() -> answersUntil(over, reading));
        reading.await();
        assertThat(change(statement)).isEqualTo(ROWS);
        over.set(true);
        assertThat(seen.get()).contains("0").isSubsetOf("0", String.valueOf(ROWS));
        assertThat(Answers.rows(connection, "SELECT count(*), sum(id), sum(n) FROM t"))
                .containsExactly(ROWS + "|" + (ROWS - 1L) * ROWS / 2 + "|" + ROWS);
    }

    private Set<String> answersUntil(AtomicBoolean over, CountDownLatch reading) {
        Set<String> answers = new TreeSet<>();
        try (Connection own = NewStore.connect(folder);
                PreparedStatement count =
                        own.prepareStatement("SELECT count(*) FROM t WHERE n = 1")) {
            while (!over.get()) {
                try (ResultSet result = count.executeQuery()) {
                    result.next();
                    answers.add(result.getString(1));
                }
                reading.countDown();
            }
            return answers;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_key_that_is_there_ends_an_insert_of_many_rows() throws SQLException {
        change("INSERT INTO t VALUES (" + (ROWS - 1) + ", 7)");
        assertThatThrownBy(() -> change("INSERT INTO t SELECT id, n FROM s"))
                .hasMessageContaining("(id=" + (ROWS - 1) + ")")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
        assertThat(Answers.rows(connection, "SELECT * FROM t")).containsExactly(ROWS - 1 + "|7");
        assertNoLoadOf("t");
    }

    @Test
    void a_value_that_does_not_fit_ends_an_update_of_many_rows() throws SQLException {
        assertThatThrownBy(() -> change("UPDATE s SET n = 10 / (id - " + (ROWS - 1) + ")"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
        assertThat(Answers.rows(connection, "SELECT count(*) FROM s WHERE n = 0"))
                .containsExactly(String.valueOf(ROWS));
    }

    @Test
    void a_cancelled_insert_leaves_nothing_of_what_it_has_sent() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(30);
            CompletableFuture<SQLException> ended = failing(statement);
            while (!ended.isDone() && !loadsOf("t").equals(List.of("RUNNING"))) {
                Thread.onSpinWait();
            }
            statement.cancel();
            assertThat((Throwable) ended.get()).hasMessage("The statement was cancelled.");
            assertNothingStored();
            assertThat(statement.executeUpdate("INSERT INTO t SELECT id, n FROM s"))
                    .isEqualTo(ROWS);
        }
    }

    @Test
    void an_insert_that_takes_too_long_leaves_nothing_of_what_it_has_sent() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(2);
            SQLException late = failing(statement).get();
            assertThat((Throwable) late).isInstanceOf(SQLTimeoutException.class);
            assertNothingStored();
        }
    }

    private static CompletableFuture<SQLException> failing(Statement statement) {
        return CompletableFuture.supplyAsync(() ->
                catchThrowableOfType(SQLException.class, () -> statement.executeUpdate(ENDLESS)));
    }

    @Test
    void a_statement_that_was_prepared_for_a_table_loads_into_no_other() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t SELECT id, n FROM s")) {
            change("DROP TABLE t");
            change("CREATE TABLE t (id INTEGER NOT NULL, n INTEGER, PRIMARY KEY (id))");
            SQLException refused = catchThrowableOfType(SQLException.class, insert::executeUpdate);
            assertThat(refused.getSQLState()).as(refused.toString()).isEqualTo("55006");
        }
        assertNothingStored();
        change("DROP TABLE t");
    }

    private void assertNothingStored() throws SQLException {
        assertThat(Answers.rows(connection, "SELECT count(*) FROM t")).containsExactly("0");
        assertNoLoadOf("t");
    }

    private void assertNoLoadOf(String table) throws SQLException {
        assertThat(loadsOf(table)).isEmpty();
    }

    private List<String> loadsOf(String table) throws SQLException {
        return Answers.rows(
                connection, "SELECT state FROM penstock_loads WHERE table_name = '" + table + "'");
    }

    private int change(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }
}
