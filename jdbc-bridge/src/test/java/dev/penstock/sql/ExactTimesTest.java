package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.PenstockConnection;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;
import dev.penstock.kv.ddl.Ddl;

import org.jspecify.annotations.Nullable;
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
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Stored microseconds, where Calcite computes with milliseconds. */
final class ExactTimesTest {
    private static final String SECOND = "2026-01-02 03:04:05";

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    /** Two rows that differ in microseconds only, one from before 1970, one without a moment. */
    @BeforeEach
    void open() throws SQLException {
        try (Penstock store = Penstock.open(folder)) {
            for (String name : List.of("plain", "keyed", "copy")) {
                String key = name.equals("keyed") ? "id, ts" : "id";
                String null_ = name.equals("keyed") ? " NOT NULL" : "";
                store.createTable(
                        Ddl.parseCreateTable(
                                "CREATE TABLE %s (id INTEGER NOT NULL, ts TIMESTAMP%s, tm TIME, b TIMESTAMP, n INTEGER, PRIMARY KEY (%s))"
                                        .formatted(name, null_, key)));
            }
        }
        connection = DriverManager.getConnection("jdbc:penstock:" + folder);
        for (String name : List.of("plain", "keyed")) {
            insert(name, 1, SECOND + ".123456", "03:04:05.654321", "1960-01-01 00:00:00.000001");
            insert(name, name.equals("keyed") ? 1 : 2, SECOND + ".123789", "03:04:05.654999", null);
            insert(name, 3, "1959-12-31 23:59:59.999999", null, null);
        }
        insert("plain", 4, null, null, null);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void an_update_keeps_what_it_does_not_set() throws SQLException {
        List<List<@Nullable Long>> before = stored("plain");
        assertThat(change("UPDATE plain SET n = id + 10 WHERE id <> 3")).isEqualTo(3);
        assertThat(stored("plain")).isEqualTo(before);
        assertThat(rows("SELECT id, n FROM plain ORDER BY id"))
                .containsExactly("1|11", "2|12", "3|0", "4|14");
    }

    @Test
    void an_update_finds_the_keys_of_its_rows() throws SQLException {
        List<List<@Nullable Long>> before = stored("keyed");
        assertThat(change("UPDATE keyed SET n = n + 1 WHERE id = 1")).isEqualTo(2);
        assertThat(stored("keyed")).isEqualTo(before);
        assertThat(
                        change(
                                "UPDATE penstock.keyed SET n = penstock.keyed.n + 1 WHERE"
                                        + " penstock.keyed.id = 1"))
                .isEqualTo(2);
        assertThat(stored("keyed")).isEqualTo(before);
        assertThat(change("UPDATE keyed SET id = id + 10 WHERE id = 1")).isEqualTo(2);
        assertThat(stored("keyed"))
                .hasSize(3)
                .allSatisfy(row -> assertThat(row.getFirst()).isIn(3L, 11L));
        assertThat(change("UPDATE keyed SET ts = TIMESTAMP '2027-01-01 00:00:00' WHERE id = 3"))
                .isEqualTo(1);
        assertThat(stored("keyed")).hasSize(3);
    }

    @Test
    void a_delete_finds_the_keys_of_its_rows() throws SQLException {
        assertThat(change("DELETE FROM keyed AS k WHERE k.id = 1")).isEqualTo(2);
        assertThat(stored("keyed")).hasSize(1);
        assertThat(change("DELETE FROM keyed")).isEqualTo(1);
        assertThat(stored("keyed")).isEmpty();
    }

    @Test
    void changes_by_subqueries_are_exact_too() throws SQLException {
        List<List<@Nullable Long>> before = stored("keyed");
        assertThat(
                        change(
                                "UPDATE keyed SET n = (SELECT max(p.id) FROM plain p WHERE p.id ="
                                        + " keyed.id) WHERE EXISTS (SELECT 1 FROM plain p WHERE"
                                        + " p.id = keyed.id AND p.tm IS NOT NULL)"))
                .isEqualTo(2);
        assertThat(stored("keyed")).isEqualTo(before);
        assertThat(rows("SELECT id, n FROM keyed ORDER BY id, n"))
                .containsExactly("1|1", "1|1", "3|0");
        assertThat(change("DELETE FROM keyed WHERE id IN (SELECT id FROM plain WHERE n = 0)"))
                .isEqualTo(3);
        assertThat(stored("keyed")).isEmpty();
    }

    @Test
    void set_copies_a_column_as_it_is_stored() throws SQLException {
        List<List<@Nullable Long>> before = stored("plain");
        assertThat(change("UPDATE plain SET b = ts, n = 5")).isEqualTo(4);
        List<List<@Nullable Long>> after = stored("plain");
        for (int row = 0; row < before.size(); row++) {
            assertThat(after.get(row).get(3)).isEqualTo(before.get(row).get(1));
            assertThat(after.get(row).subList(0, 3)).isEqualTo(before.get(row).subList(0, 3));
        }
        change("UPDATE plain SET b = ts + INTERVAL '1' SECOND WHERE id = 1");
        assertThat(Objects.requireNonNull(stored("plain").getFirst().get(3)) % 1_000_000)
                .isEqualTo(123_000);
    }

    @Test
    void an_insert_copies_columns_as_they_are_stored() throws SQLException {
        List<List<@Nullable Long>> plain = stored("plain");
        for (String select :
                List.of(
                        "SELECT * FROM plain",
                        "SELECT id, ts, tm, b, n FROM plain WHERE n + 1 = 1 ORDER BY ts LIMIT 10",
                        "SELECT q.id, p.ts, q.tm, p.b, p.n + q.n FROM plain p JOIN plain q ON p.id"
                                + " = q.id WHERE p.n + q.n = 0",
                        "SELECT p.id, q.ts, p.tm, q.b, q.n FROM plain p LEFT JOIN (SELECT * FROM"
                                + " plain WHERE ts IS NOT NULL) q ON p.id = q.id")) {
            assertThat(change("UPSERT INTO copy " + select)).as(select).isEqualTo(4);
            assertThat(stored("copy")).as(select).isEqualTo(plain);
            change("DELETE FROM copy");
            assertThat(change("INSERT INTO copy " + select)).as(select).isEqualTo(4);
            assertThat(stored("copy")).as(select).isEqualTo(plain);
            change("DELETE FROM copy");
        }
    }

    @Test
    void what_is_computed_of_a_time_has_milliseconds() throws SQLException {
        long micros = Objects.requireNonNull(stored("plain").getFirst().get(1));
        change("INSERT INTO copy (id, ts, b) SELECT id, max(ts), ts FROM plain GROUP BY id, ts");
        assertThat(stored("copy").getFirst().get(1)).isEqualTo(micros / 1000 * 1000);
        assertThat(stored("copy").get(3).get(1)).isNull();
        change("DELETE FROM copy");
        change(
                "INSERT INTO copy (id, ts, b) SELECT id, ts, CASE WHEN id = 1 THEN b ELSE ts END"
                        + " FROM plain");
        assertThat(stored("copy").getFirst().get(1)).isEqualTo(micros);
        assertThat(Objects.requireNonNull(stored("copy").getFirst().get(3)) % 1000).isZero();
    }

    /** A CASE is computed by Calcite, a WHERE by the servers. */
    @Test
    void conditions_see_milliseconds_here_and_there() throws SQLException {
        for (String operator : List.of("=", "<>", "<", "<=", ">", ">=")) {
            for (String moment :
                    List.of(
                            "ts %s TIMESTAMP '2026-01-02 03:04:05.123'",
                            "TIMESTAMP '2026-01-02 03:04:05.123456' %s ts",
                            "ts %s TIMESTAMP '2026-01-02 03:04:05.124'",
                            "ts %s TIMESTAMP '1959-12-31 23:59:59.999'",
                            "ts %s TIMESTAMP '1960-01-01 00:00:00'",
                            "b %s TIMESTAMP '1960-01-01 00:00:00'",
                            "tm %s TIME '03:04:05.654'",
                            "tm %s TIME '23:59:59.999'",
                            "tm %s TIME '00:00:00'")) {
                String condition = moment.formatted(operator);
                assertThat(rows("SELECT count(*) FROM plain WHERE " + condition))
                        .as(condition)
                        .isEqualTo(
                                rows(
                                        "SELECT sum(CASE WHEN %s THEN 1 ELSE 0 END) FROM plain"
                                                .formatted(condition)));
            }
        }
        assertThat(
                        rows(
                                "SELECT id FROM plain WHERE ts IN (TIMESTAMP '2026-01-02"
                                    + " 03:04:05.123', TIMESTAMP '1959-12-31 23:59:59.999') ORDER"
                                    + " BY id"))
                .containsExactly("1", "2", "3");
    }

    @Test
    void a_value_that_was_read_finds_its_rows() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT count(*) FROM keyed WHERE ts = ? AND id = 1")) {
            query.setTimestamp(1, Timestamp.valueOf(SECOND + ".123"));
            try (ResultSet result = query.executeQuery()) {
                assertThat(result.next()).isTrue();
                assertThat(result.getInt(1)).isEqualTo(2);
            }
        }
    }

    @Test
    void groups_are_of_milliseconds() throws SQLException {
        assertThat(
                        rows(
                                "SELECT ts, count(*), count(b), sum(n), min(id), max(id),"
                                        + " avg(id * 1.5), sum(id) FROM plain GROUP BY ts ORDER BY"
                                        + " ts NULLS LAST"))
                .containsExactly(
                        "1959-12-31 23:59:59.999|1|0|0|3|3|4.500000|3",
                        SECOND + ".123|2|1|0|1|2|2.250000|3",
                        "null|1|0|0|4|4|6.000000|4");
        assertThat(rows("SELECT DISTINCT tm FROM plain WHERE tm IS NOT NULL"))
                .containsExactly("03:04:05.654");
        assertThat(rows("SELECT count(DISTINCT ts), count(DISTINCT tm) FROM plain"))
                .containsExactly("2|1");
        assertThat(rows("SELECT DISTINCT id, ts FROM keyed")).hasSize(2);
        assertThat(rows("SELECT ts, id, count(*) FROM keyed GROUP BY ts, id")).hasSize(2);
    }

    @Test
    void a_table_that_is_missing_is_named_as_it_was_written() {
        for (String sql : List.of("UPDATE nobody SET a = 1", "DELETE FROM nobody")) {
            assertThatThrownBy(() -> change(sql)).hasMessageContaining("'nobody' not found (line");
        }
    }

    @Test
    void hidden_fields_cannot_be_set() {
        assertThatThrownBy(() -> change("UPDATE plain SET \"stored ts\" = 1"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42000"));
    }

    private void insert(
            String name, int id, @Nullable Object ts, @Nullable Object tm, @Nullable Object b)
            throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + name + " VALUES (?, ?, ?, ?, ?)")) {
            insert.setInt(1, id);
            insert.setObject(2, ts);
            insert.setObject(3, tm);
            insert.setObject(4, b);
            insert.setInt(5, 0);
            insert.executeUpdate();
        }
    }

    /** Identity, times and timestamps as they are stored. */
    private List<List<@Nullable Long>> stored(String name) throws SQLException {
        Table table = connection.unwrap(PenstockConnection.class).store().table(name);
        List<List<@Nullable Long>> rows = new ArrayList<>();
        try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
            ColumnBatch batch = scan.newBatch();
            while (scan.next(batch)) {
                for (int row = 0; row < batch.rowCount(); row++) {
                    List<@Nullable Long> values = new ArrayList<>();
                    for (int column = 0; column < 4; column++) {
                        LongColumn longs = batch.longs(column);
                        values.add(longs.validity().isValid(row) ? longs.values()[row] : null);
                    }
                    rows.add(values);
                }
            }
        }
        return rows;
    }

    private int change(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private List<String> rows(String sql) throws SQLException {
        return Answers.rows(connection, sql);
    }
}
