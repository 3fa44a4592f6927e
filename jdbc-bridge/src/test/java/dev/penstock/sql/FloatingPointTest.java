package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.NewStore;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;
import dev.penstock.schema.FloatOrder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Zeros, NaN, infinity and the two precisions mean the same to region servers and to Calcite: there
 * is one zero, and NaN equals itself and is greater than every other number.
 */
final class FloatingPointTest {
    /** Reads rows, so that servers do nothing else. */
    private static final String HERE = "(SELECT * FROM f LIMIT 1000)";

    private static final Double[] VALUES = {
        -0.0, 0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, null, 0.1, 1.5
    };

    @TempDir private static Path folder;

    private static Connection connection;

    @BeforeAll
    static void fill() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE f (id INTEGER NOT NULL, d DOUBLE, r REAL, n DOUBLE NOT NULL,"
                            + " PRIMARY KEY (id))");
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO f VALUES (?, ?, ?, ?)")) {
            for (int i = 0; i < VALUES.length; i++) {
                insert.setInt(1, i + 1);
                insert.setObject(2, VALUES[i]);
                insert.setObject(3, VALUES[i]);
                insert.setDouble(4, VALUES[i] == null ? Double.NaN : VALUES[i]);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "d = 0; 1,2",
                "d = -0e0; 1,2",
                "d <> 0; 3,4,5,7,8",
                "d < 0; 5",
                "d <= 0; 1,2,5",
                "d >= 0; 1,2,3,4,7,8",
                "d > 1; 3,4,8",
                "NOT (d > 1); 1,2,5,7",
                "d = CAST('NaN' AS DOUBLE); 3",
                "d <> CAST('NaN' AS DOUBLE); 1,2,4,5,7,8",
                "d < CAST('NaN' AS DOUBLE); 1,2,4,5,7,8",
                "d >= CAST('Infinity' AS DOUBLE); 3,4",
                "d > CAST('Infinity' AS DOUBLE); 3",
                "d < CAST('Infinity' AS DOUBLE); 1,2,5,7,8",
                "r > CAST('Infinity' AS REAL); 3",
                "d IN (0, 1.5); 1,2,8",
                "d IN (0, 1.5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,"
                        + " 24, 25, 26, 27); 1,2,8",
                "d NOT IN (0, 1.5); 3,4,5,7",
                "d IN (CAST('NaN' AS DOUBLE), 1.5); 3,8",
                "d BETWEEN -1 AND 1; 1,2,7",
                "d NOT BETWEEN -1 AND 1; 3,4,5,8",
                "d = d; 1,2,3,4,5,7,8",
                "n = n; 1,2,3,4,5,6,7,8",
                "n > 1; 3,4,6,8",
                "d <> d; ''",
                "r = 0.1; 7",
                "r <> 0.1; 1,2,3,4,5,8",
                "r = 0.1e0; ''",
                "r = CAST(0.1 AS DOUBLE); ''",
                "r > CAST(0.1 AS DOUBLE); 3,4,7,8",
                "r + 0 = 0.1; 7",
                "r = CAST(0.1 AS REAL); 7",
                "r IN (CAST(0.1 AS REAL), 1.5); 7,8",
                "r IN (0.1, 1.5); 7,8",
                "r = '0.1'; 7",
                "r > 0.1; 3,4,8",
                "r <= 0.1; 1,2,5,7",
                "r < 0.2; 1,2,5,7",
                "CAST(r AS DOUBLE) = 0.1; ''",
                "CAST(r AS DOUBLE) > 0.1; 3,4,7,8",
                "r = 0; 1,2",
                "r = d; 1,2,3,4,5,8",
                "d = 0.1; 7",
                "d = 0.10000000000000001; 7",
                "-d = 0; 1,2",
                "-d < 0; 4,7,8",
                "-d > 0; 3,5",
                "d * 2 > 1; 3,4,8",
                "id < CAST('NaN' AS DOUBLE); 1,2,3,4,5,6,7,8",
                "id > CAST('-Infinity' AS DOUBLE) AND id > 1e300 - 1e300 + 6; 7,8",
                "id = 1e0; 1",
                "id > 6.5e0; 7,8",
                "CASE d WHEN 0 THEN TRUE ELSE FALSE END; 1,2",
                "d IN (SELECT -d FROM f); 1,2,3,4,5",
                "n IN (SELECT -n FROM f); 1,2,3,4,5,6",
                "d NOT IN (SELECT -d FROM f WHERE d IS NOT NULL); 7,8"
            })
    void a_condition_has_one_meaning(String condition, String ids) throws SQLException {
        String[] expected = ids.isEmpty() ? new String[0] : ids.split(",");
        for (String table : List.of("f", HERE)) {
            assertThat(rows("SELECT id FROM %s WHERE %s".formatted(table, condition)))
                    .as(table)
                    .containsExactlyInAnyOrder(expected);
        }
        assertThat(
                        rows(
                                "SELECT id FROM (SELECT id, CASE WHEN %s THEN 1 ELSE 0 END AS c FROM f)"
                                                .formatted(condition)
                                        + " WHERE c = 1"))
                .containsExactlyInAnyOrder(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SELECT DISTINCT d FROM %s; -Infinity,0.0,0.1,1.5,Infinity,NaN,null",
                "SELECT DISTINCT -d FROM %s; Infinity,0.0,-0.1,-1.5,-Infinity,NaN,null",
                "SELECT DISTINCT ceil(d - 0.5) FROM %s; -Infinity,0.0,1.0,Infinity,NaN,null",
                "SELECT d, count(*) FROM %s WHERE d < 1 GROUP BY d; 0.0|2,-Infinity|1,0.1|1",
                "SELECT r, count(*) FROM %s WHERE r < 1 GROUP BY r; 0.0|2,-Infinity|1,0.1|1",
                "SELECT n, count(*) FROM %s WHERE n >= 1e300 GROUP BY n; Infinity|1,NaN|2",
                "SELECT d * 0, count(*) FROM %s GROUP BY d * 0; 0.0|4,NaN|3,null|1",
                "SELECT count(DISTINCT d), count(DISTINCT -d), count(DISTINCT n) FROM %s; 6|6|6",
                "SELECT min(d), max(d), min(r), max(r) FROM %s; -Infinity|NaN|-Infinity|NaN",
                "SELECT min(n), max(n) FROM %s WHERE id IN (4, 5); -Infinity|Infinity",
                "SELECT id, min(n), max(n) FROM %s WHERE id IN (3, 4, 5) GROUP BY id;"
                        + " 3|NaN|NaN,4|Infinity|Infinity,5|-Infinity|-Infinity",
                "SELECT id / 5, min(-n), max(-n) FROM %s GROUP BY id / 5;"
                        + " 0|-Infinity|NaN,1|-1.5|NaN",
                "SELECT max(d), max(n) FROM %s WHERE id IN (1, 2); 0.0|0.0",
                "SELECT min(d), min(n) FROM %s WHERE id IN (1, 2); 0.0|0.0",
                "SELECT a.id FROM %s a, f b WHERE a.d = b.d; 1,1,2,2,3,4,5,7,8",
                "SELECT a.id FROM %s a, f b WHERE a.n = -b.n; 1,1,2,2,3,3,4,5,6,6",
                "SELECT a.id FROM %s a, f b WHERE a.d <= b.d AND a.d >= b.d; 1,1,2,2,3,4,5,7,8",
                "SELECT a.id FROM %s a, f b WHERE a.r = b.d; 1,1,2,2,3,4,5,8",
                "SELECT d FROM %s UNION SELECT -d FROM f WHERE id < 4; -Infinity,0.0,0.1,1.5,"
                        + "Infinity,NaN,null",
                "SELECT d FROM %s INTERSECT SELECT -d FROM f; -Infinity,0.0,Infinity,NaN,null",
                "SELECT d FROM %s EXCEPT SELECT -d FROM f; 0.1,1.5",
                "SELECT count(*) FROM (SELECT d, id FROM %s ORDER BY d, id LIMIT 3) WHERE id = 2; 1"
            })
    void equal_numbers_are_one(String query, String expected) throws SQLException {
        for (String table : List.of("f", HERE)) {
            assertThat(rows(query.formatted(table)))
                    .as(table)
                    .containsExactlyInAnyOrder(expected.split(","));
        }
    }

    @Test
    void zeros_are_in_the_order_of_what_comes_next() throws SQLException {
        for (String table : List.of("f", HERE, "(SELECT id, -(-d) AS d FROM f)")) {
            assertThat(rows("SELECT id FROM " + table + " ORDER BY d NULLS LAST, id DESC"))
                    .containsExactly("5", "2", "1", "7", "8", "4", "3", "6");
        }
    }

    @Test
    void parameters_are_compared_as_literals_are() throws SQLException {
        for (String table : List.of("f", HERE)) {
            assertThat(ids(table, "d = ?", -0.0)).containsExactly(1, 2);
            assertThat(ids(table, "d = ?", Double.NaN)).containsExactly(3);
            assertThat(ids(table, "d < ?", Double.NaN)).containsExactly(1, 2, 4, 5, 7, 8);
            assertThat(ids(table, "d >= ?", Double.POSITIVE_INFINITY)).containsExactly(3, 4);
            assertThat(ids(table, "d = ?", 0.1f)).isEmpty();
            assertThat(ids(table, "r = ?", 0.1)).containsExactly(7);
            assertThat(ids(table, "d = ?", "0.1")).containsExactly(7);
            assertThat(ids(table, "id = ?", "7")).containsExactly(7);
        }
    }

    /** The two zeros of a key are two rows, which changes find and keep. */
    @Test
    void changes_keep_the_zero_that_they_do_not_set() throws SQLException {
        Path place = folder.resolve("zeros");
        try (Connection zeros =
                        DriverManager.getConnection("jdbc:penstock:" + place + "?create=true");
                Statement statement = zeros.createStatement()) {
            statement.execute(
                    "CREATE TABLE zero (d DOUBLE NOT NULL, r REAL, c DOUBLE, n INTEGER, PRIMARY KEY"
                            + " (d))");
            try (PreparedStatement insert =
                    zeros.prepareStatement("INSERT INTO zero VALUES (?, ?, ?, ?)")) {
                for (double key : new double[] {-0.0, 0.0, 1}) {
                    insert.setDouble(1, key);
                    insert.setDouble(2, -0.0);
                    insert.setDouble(3, 7);
                    insert.setInt(4, 1);
                    insert.executeUpdate();
                }
            }
            assertThat(statement.executeUpdate("UPDATE zero SET n = 2, c = d WHERE d = 0"))
                    .isEqualTo(2);
        }
        long minus = FloatOrder.toOrdered(-0.0);
        long plus = FloatOrder.toOrdered(0);
        assertThat(stored(place))
                .containsExactly(
                        List.of(minus, minus, minus),
                        List.of(plus, minus, plus),
                        List.of(FloatOrder.toOrdered(1), minus, FloatOrder.toOrdered(7)));
        try (Connection zeros = DriverManager.getConnection("jdbc:penstock:" + place);
                Statement statement = zeros.createStatement()) {
            assertThat(statement.executeUpdate("DELETE FROM zero WHERE d = 0")).isEqualTo(2);
            assertThat(Answers.rows(zeros, "SELECT d FROM zero")).containsExactly("1.0");
        }
    }

    /** The first three columns of each row as they are stored. */
    private static List<List<Long>> stored(Path place) {
        List<List<Long>> stored = new ArrayList<>();
        try (Penstock store = Penstock.open(place);
                Scan scan = scan(store.table("zero"))) {
            ColumnBatch batch = scan.newBatch();
            while (scan.next(batch)) {
                for (int row = 0; row < batch.rowCount(); row++) {
                    int at = row;
                    stored.add(
                            Stream.of(0, 1, 2)
                                    .map(column -> batch.longs(column).values()[at])
                                    .toList());
                }
            }
        }
        return stored;
    }

    private static Scan scan(Table table) {
        return table.scan(ScanSpec.all(table.schema()));
    }

    private static List<Integer> ids(String table, String condition, Object value)
            throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT id FROM " + table + " WHERE " + condition + " ORDER BY id")) {
            query.setObject(1, value);
            List<Integer> ids = new ArrayList<>();
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    ids.add(result.getInt(1));
                }
            }
            return ids;
        }
    }

    private static List<String> rows(String sql) throws SQLException {
        return Answers.rows(connection, sql);
    }
}
