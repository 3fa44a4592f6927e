package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.jdbc.Answers;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadPhase;
import dev.penstock.loader.LoadProgress;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Statements while a load that keeps stored rows is prepared and not published. */
final class PreparedLoadTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path place;

    /** Rows 1 to 3, and a load of 3 and 5 that stopped before it was published. */
    @BeforeEach
    void prepare() throws IOException, SQLException {
        place = folder.resolve("store");
        Path file = Files.writeString(folder.resolve("rows.csv"), "3,300\n5,500\n");
        try (Penstock store = Penstock.open(place)) {
            store.createTable(
                    Ddl.parseCreateTable(
                            "CREATE TABLE t (id BIGINT NOT NULL, n BIGINT, PRIMARY KEY (id))"));
        }
        change("INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)");
        try (Penstock store = Penstock.open(place)) {
            BulkLoad load =
                    BulkLoad.into(store.table("t"))
                            .from(file)
                            .duplicates(DuplicatePolicy.KEEP_EXISTING)
                            .label("night")
                            .resume(true)
                            .listener(PreparedLoadTest::stopBeforePublishing)
                            .build();
            assertThatThrownBy(load::run).hasMessageContaining("no time to publish");
        }
    }

    private static void stopBeforePublishing(LoadProgress progress) {
        if (progress.phase() == LoadPhase.PUBLISH) {
            throw new PenstockException(ErrorCategory.IO, "no time to publish");
        }
    }

    @Test
    void rows_stay_where_they_are_until_the_load_has_ended() throws SQLException {
        assertRefused("UPDATE t SET id = 9 WHERE id = 1", "has left out its own row");
        assertRefused("UPDATE t SET id = id + 1, n = 0", "has left out its own row");
        assertRefused("UPDATE t SET id = 5 WHERE id = 1", "a row has a key of load");
        String id = rows("SELECT load_id FROM penstock_loads").getFirst();
        try (Penstock store = Penstock.open(place)) {
            store.cluster().metadata().abort(id);
        }
        change("UPDATE t SET id = id + 2 WHERE id > 1");
        assertThat(rows("SELECT * FROM t ORDER BY id")).containsExactly("1|10", "4|20", "5|30");
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT", "UPSERT"})
    void a_statement_of_many_rows_whose_last_the_load_has_stores_none(String word)
            throws IOException, SQLException {
        int count = 10_000;
        String lines =
                IntStream.rangeClosed(1, count)
                        .mapToObj(i -> i + ",0\n")
                        .collect(Collectors.joining());
        Path file = Files.writeString(folder.resolve("many.csv"), lines);
        change("CREATE TABLE s (id BIGINT NOT NULL, n BIGINT, PRIMARY KEY (id))");
        change("COPY s FROM '" + file + "' (HEADER false)");
        assertRefused(word + " INTO t SELECT " + (count + 5) + " - id, n FROM s", "load");
    }

    private void assertRefused(String sql, String message) throws SQLException {
        assertThatThrownBy(() -> change(sql))
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55006"));
        assertThat(rows("SELECT * FROM t ORDER BY id")).containsExactly("1|10", "2|20", "3|30");
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:penstock:" + place);
    }

    private void change(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private List<String> rows(String sql) throws SQLException {
        try (Connection connection = connect()) {
            return Answers.rows(connection, sql);
        }
    }
}
