package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What the metadata says that SQL can do, it does. */
final class SqlAnswersTest {
    /** Answers that {@link #claims} have no statement for. */
    private static final List<String> OF_OTHER_TESTS =
            List.of("nullsAreSortedHigh", "supportsBatchUpdates", "supportsMinimumSQLGrammar");

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        statement = connection.createStatement();
        statement.execute(
                "CREATE TABLE item (id INTEGER, kind VARCHAR(9), n INTEGER, PRIMARY KEY (id))");
        statement.execute("CREATE TABLE kind (name VARCHAR(9), best INTEGER, PRIMARY KEY (name))");
        statement.execute(
                "INSERT INTO item VALUES (1, 'a', 10), (2, 'a', NULL), (3, 'b_', 30), (4, NULL,"
                        + " 40)");
        statement.execute("INSERT INTO kind VALUES ('a', 10), ('c', 30)");
    }

    @AfterEach
    void close() throws SQLException {
        statement.close();
        connection.close();
    }

    /**
     * An answer that is yes, and a statement that needs what it promises.
     *
     * @param answer the method of the metadata
     * @param rows what the statement gives
     */
    record Claim(String answer, String sql, List<String> rows) {
        @Override
        public String toString() {
            return answer;
        }
    }

    private static Stream<Claim> claims() {
        return Stream.of(
                new Claim(
                        "supportsColumnAliasing",
                        "SELECT x.y FROM (SELECT n AS y FROM item WHERE id = 1) AS x",
                        List.of("10")),
                new Claim(
                        "nullPlusNonNullIsNull",
                        "SELECT kind || 'x', n + 1 FROM item WHERE kind IS NULL OR n IS NULL ORDER"
                                + " BY id",
                        List.of("ax|null", "null|41")),
                new Claim(
                        "supportsTableCorrelationNames",
                        "SELECT i.id FROM item i JOIN item AS j ON i.n = j.n AND j.id < 2",
                        List.of("1")),
                new Claim(
                        "supportsExpressionsInOrderBy",
                        "SELECT id FROM item ORDER BY 0 - id",
                        List.of("4", "3", "2", "1")),
                new Claim(
                        "supportsOrderByUnrelated",
                        "SELECT kind FROM item ORDER BY id DESC",
                        List.of("null", "b_", "a", "a")),
                new Claim(
                        "supportsGroupBy",
                        "SELECT kind, count(*) FROM item GROUP BY kind ORDER BY kind",
                        List.of("a|2", "b_|1", "null|1")),
                new Claim(
                        "supportsGroupByUnrelated",
                        "SELECT count(*) AS many FROM item GROUP BY kind ORDER BY many",
                        List.of("1", "1", "2")),
                new Claim(
                        "supportsGroupByBeyondSelect",
                        "SELECT kind, count(*) FROM item GROUP BY kind, n ORDER BY kind, n",
                        List.of("a|1", "a|1", "b_|1", "null|1")),
                new Claim(
                        "supportsLikeEscapeClause",
                        "SELECT id FROM item WHERE kind LIKE '%!_' ESCAPE '!'",
                        List.of("3")),
                new Claim(
                        "supportsOuterJoins",
                        "SELECT id, best FROM item LEFT OUTER JOIN kind ON kind = name ORDER BY id",
                        List.of("1|10", "2|10", "3|null", "4|null")),
                new Claim(
                        "supportsFullOuterJoins",
                        "SELECT id, name FROM item FULL OUTER JOIN kind ON kind = name ORDER BY id",
                        List.of("1|a", "2|a", "3|null", "4|null", "null|c")),
                new Claim(
                        "supportsLimitedOuterJoins",
                        "SELECT id, name FROM item RIGHT OUTER JOIN kind ON kind = name AND n > 5"
                                + " ORDER BY id",
                        List.of("1|a", "null|c")),
                new Claim(
                        "supportsSubqueriesInComparisons",
                        "SELECT id FROM item WHERE n = (SELECT max(best) FROM kind)",
                        List.of("3")),
                new Claim(
                        "supportsSubqueriesInExists",
                        "SELECT id FROM item WHERE EXISTS (SELECT * FROM kind WHERE best = n) ORDER"
                                + " BY id",
                        List.of("1", "3")),
                new Claim(
                        "supportsSubqueriesInIns",
                        "SELECT id FROM item WHERE kind NOT IN (SELECT name FROM kind)",
                        List.of("3")),
                new Claim(
                        "supportsSubqueriesInQuantifieds",
                        "SELECT id FROM item WHERE n > ALL (SELECT best FROM kind) OR n <= ANY"
                                + " (SELECT best - 20 FROM kind) OR n = SOME (SELECT best FROM kind"
                                + " WHERE name = 'c') ORDER BY id",
                        List.of("1", "3", "4")),
                new Claim(
                        "supportsCorrelatedSubqueries",
                        "SELECT id, (SELECT best FROM kind WHERE name = kind) FROM item WHERE n >="
                            + " (SELECT max(n) FROM item other WHERE other.kind = item.kind) ORDER"
                            + " BY id",
                        List.of("1|10", "3|null")),
                new Claim(
                        "supportsUnion",
                        "SELECT kind FROM item UNION SELECT name FROM kind ORDER BY 1",
                        List.of("a", "b_", "c", "null")),
                new Claim(
                        "supportsUnionAll",
                        "SELECT best FROM kind UNION ALL SELECT n FROM item ORDER BY 1",
                        List.of("10", "10", "30", "30", "40", "null")));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void what_is_promised_runs(Claim claim) throws Exception {
        Method answer = DatabaseMetaData.class.getMethod(claim.answer());
        assertThat(answer.invoke(connection.getMetaData())).isEqualTo(true);
        assertThat(rows(claim.sql())).isEqualTo(claim.rows());
    }

    @Test
    void every_promise_is_checked() {
        List<String> checked = new ArrayList<>(OF_OTHER_TESTS);
        claims().forEach(claim -> checked.add(claim.answer()));
        assertThat(Arrays.stream(SqlAnswers.class.getDeclaredMethods()).map(Method::getName))
                .containsExactlyInAnyOrderElementsOf(checked);
    }

    @Test
    void nulls_are_greater_than_all_values() throws SQLException {
        DatabaseMetaData answers = connection.getMetaData();
        assertThat(answers.nullsAreSortedHigh()).isTrue();
        assertThat(answers.nullsAreSortedLow()).isFalse();
        assertThat(answers.nullsAreSortedAtStart()).isFalse();
        assertThat(answers.nullsAreSortedAtEnd()).isFalse();
        assertThat(rows("SELECT n FROM item ORDER BY n")).containsExactly("10", "30", "40", "null");
        assertThat(rows("SELECT n FROM item ORDER BY n DESC"))
                .containsExactly("null", "40", "30", "10");
        assertThat(rows("SELECT n FROM item ORDER BY n LIMIT 1")).containsExactly("10");
    }

    @Test
    void batches_run() throws SQLException {
        assertThat(connection.getMetaData().supportsBatchUpdates()).isTrue();
        statement.addBatch("INSERT INTO item VALUES (5, 'd', 50), (6, 'd', 60)");
        statement.addBatch("DELETE FROM item WHERE id = 1");
        assertThat(statement.executeBatch()).containsExactly(2, 1);
    }

    /** That of ODBC: tables, searched changes, simple queries. */
    @Test
    void the_minimum_of_sql_runs() throws SQLException {
        assertThat(connection.getMetaData().supportsMinimumSQLGrammar()).isTrue();
        statement.execute("CREATE TABLE plain (a CHAR(3), b VARCHAR(9))");
        assertThat(statement.executeUpdate("INSERT INTO plain (a, b) VALUES ('abc', 'x')")).isOne();
        assertThat(statement.executeUpdate("INSERT INTO plain VALUES ('def', 'y')")).isOne();
        assertThat(
                        statement.executeUpdate(
                                "UPDATE item SET n = n + 1 WHERE kind LIKE 'a%' AND NOT n IS NULL"))
                .isOne();
        assertThat(statement.executeUpdate("DELETE FROM item WHERE id = 1 OR n < 31")).isEqualTo(2);
        assertThat(rows("SELECT DISTINCT b, a FROM plain WHERE a > 'b' ORDER BY b DESC"))
                .containsExactly("y|def");
        statement.execute("DROP TABLE plain");
    }

    private List<String> rows(String sql) throws SQLException {
        return Answers.rows(connection, sql);
    }
}
