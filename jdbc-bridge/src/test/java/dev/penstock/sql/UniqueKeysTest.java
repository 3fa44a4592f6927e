package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.NewStore;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

/**
 * What the planner concludes from keys: it is told of those that a read delivers, and no others.
 */
final class UniqueKeysTest {
    @TempDir private static Path folder;

    private static Connection connection;

    @BeforeAll
    static void fill() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            for (String sql :
                    List.of(
                            "CREATE TABLE item (id INTEGER NOT NULL, part INTEGER, name VARCHAR(9),"
                                    + " PRIMARY KEY (id))",
                            "CREATE TABLE pair (x INTEGER, a INTEGER NOT NULL, b INTEGER NOT NULL,"
                                    + " PRIMARY KEY (b, a))",
                            "CREATE TABLE loose (n INTEGER)",
                            "CREATE TABLE zero (d DOUBLE NOT NULL, n INTEGER, PRIMARY KEY (d))",
                            "INSERT INTO item VALUES (1, 7, 'a'), (2, 7, 'a'), (3, 8, 'b'), (4,"
                                    + " NULL, 'b'), (5, NULL, NULL)",
                            "INSERT INTO pair VALUES (1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 2, 2),"
                                    + " (2, 2, 3)",
                            "INSERT INTO loose VALUES (1), (1), (2), (NULL), (NULL)")) {
                statement.executeUpdate(sql);
            }
            try (var insert = connection.prepareStatement("INSERT INTO zero VALUES (?, ?)")) {
                for (double key : new double[] {-0.0, 0.0, 1}) {
                    insert.setDouble(1, key);
                    insert.setInt(2, 5);
                    insert.executeUpdate();
                }
            }
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
                "SELECT count(DISTINCT part) FROM item; 2",
                "SELECT count(DISTINCT name), count(name) FROM item; 2|4",
                "SELECT count(DISTINCT name) FROM item WHERE part IS NOT NULL; 2",
                "SELECT count(DISTINCT id) FROM item; 5",
                "SELECT DISTINCT part FROM item; 7,8,null",
                "SELECT part FROM item GROUP BY part; 7,8,null",
                "SELECT part, count(*) FROM item GROUP BY part; 7|2,8|1,null|2",
                "SELECT name, max(part) FROM item GROUP BY name; a|7,b|8,null|null",
                "SELECT l.id FROM item l LEFT JOIN item r ON l.part = r.part; 1,1,2,2,3,4,5",
                "SELECT id FROM item WHERE part IN (SELECT part FROM item WHERE id < 3); 1,2",
                "SELECT l.part FROM item l JOIN (SELECT DISTINCT part FROM item) r ON l.part ="
                        + " r.part; 7,7,8",
                "SELECT part FROM item UNION SELECT part FROM item; 7,8,null",
                "SELECT part FROM item INTERSECT SELECT part FROM item; 7,8,null",
                "SELECT DISTINCT x FROM pair; 1,2",
                "SELECT DISTINCT a FROM pair; 1,2",
                "SELECT DISTINCT b FROM pair; 1,2,3",
                "SELECT DISTINCT x, a FROM pair; 1|1,1|2,2|2",
                "SELECT count(DISTINCT a) FROM pair; 2",
                "SELECT DISTINCT a, b FROM pair; 1|1,1|2,2|1,2|2,2|3",
                "SELECT DISTINCT s FROM (SELECT a, sum(x) - sum(x) AS s FROM pair GROUP BY a); 0",
                "SELECT DISTINCT c FROM (SELECT count(*) AS c, x FROM pair GROUP BY x, a); 1,2",
                "SELECT count(DISTINCT c) FROM (SELECT part, count(*) AS c FROM item GROUP BY"
                        + " part); 2",
                "SELECT count(DISTINCT m) FROM (SELECT max(x) AS m, b FROM pair GROUP BY b); 2",
                "SELECT DISTINCT n FROM loose; 1,2,null",
                "SELECT count(DISTINCT n) FROM loose; 2",
                "SELECT DISTINCT d FROM zero; 0.0,1.0",
                "SELECT count(DISTINCT d) FROM zero; 2",
                "SELECT d, sum(n) FROM zero GROUP BY d; 0.0|10,1.0|5",
                "SELECT DISTINCT x FROM (SELECT x, b, a FROM pair LIMIT 4); 1,2"
            })
    void equal_rows_are_one(String query, String rows) throws SQLException {
        assertThat(Answers.rows(connection, query))
                .containsExactlyInAnyOrderElementsOf(Arrays.asList(rows.split(",")));
    }
}
