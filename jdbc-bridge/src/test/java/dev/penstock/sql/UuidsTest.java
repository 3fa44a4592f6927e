package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.NewStore;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * UUIDs are ordered as unsigned bytes, whoever orders and compares them: servers or Calcite, to
 * whom half of them are negative numbers.
 */
final class UuidsTest {
    /** In order; the number of a row is the place of its value, from one. */
    private static final List<String> VALUES =
            List.of(
                    "00000000-0000-0000-0000-000000000001",
                    "7fffffff-ffff-ffff-7fff-ffffffffffff",
                    "7fffffff-ffff-ffff-8000-000000000000",
                    "80000000-0000-0000-0000-00000000000a",
                    "ffffffff-ffff-ffff-ffff-ffffffffffff");

    @TempDir private static Path folder;

    private static Connection connection;

    @BeforeAll
    static void fill() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE t (n INTEGER NOT NULL, u UUID, c VARCHAR(40), PRIMARY KEY (n))");
            statement.execute("CREATE TABLE k (u UUID NOT NULL, n INTEGER, PRIMARY KEY (u))");
            for (String table : List.of("t (u, n)", "k")) {
                statement.execute("INSERT INTO " + table + " VALUES " + rowsOf(VALUES));
            }
            statement.execute("UPDATE t SET c = CAST(u AS VARCHAR(40))");
            statement.execute("INSERT INTO t VALUES (6, NULL, NULL)");
        }
    }

    private static String rowsOf(List<String> values) {
        return IntStream.range(0, values.size())
                .mapToObj(i -> "('" + values.get(i) + "', " + (i + 1) + ")")
                .collect(Collectors.joining(", "));
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    /** A hash and a number stand for a value. */
    private static String sql(String text) {
        String written = text;
        for (int i = 0; i < VALUES.size(); i++) {
            written = written.replace("#" + (i + 1), "'" + VALUES.get(i) + "'");
        }
        return written;
    }

    /** What servers check, and nothing is left for Calcite. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "u = #4; 4",
                "u = '80000000-0000-0000-0000-00000000000A'; 4",
                "u <> #4; 1,2,3,5",
                "u < #4; 1,2,3",
                "#2 < u; 3,4,5",
                "NOT (u > #2); 1,2",
                "u BETWEEN #2 AND #4; 2,3,4",
                "u BETWEEN #4 AND #2; ''",
                "u < #2 OR u > #4; 1,5",
                "u > UUID #3 AND u <= UUID #5; 4,5",
                "u IN (#1, #4); 1,4",
                "u IN (UUID #1, UUID #4, UUID #5); 1,4,5",
                "u NOT IN (#1, #4); 2,3,5",
                "u IN (#1, #4) AND u > #2; 4"
            })
    void servers_check_conditions(String condition, String numbers) throws SQLException {
        String query = "SELECT n FROM k WHERE " + condition;
        assertThat(rows(query))
                .containsExactly(numbers.isEmpty() ? new String[0] : numbers.split(","));
        assertThat(rows("EXPLAIN PLAN FOR " + query))
                .singleElement()
                .asString()
                .startsWith("StoreRead")
                .doesNotContain("Enumerable");
    }

    /** All in one statement, the same for each row: there is much to compile. */
    @Test
    void calcite_checks_conditions_alike() throws SQLException {
        Map<String, String> numbers =
                Map.ofEntries(
                        Map.entry("u = #4", "4"),
                        Map.entry("#4 = u", "4"),
                        Map.entry("u = '80000000-0000-0000-0000-00000000000A'", "4"),
                        Map.entry("u <> #4", "1235"),
                        Map.entry("u < #4", "123"),
                        Map.entry("u <= #4", "1234"),
                        Map.entry("u > #2", "345"),
                        Map.entry("u >= #4", "45"),
                        Map.entry("#2 < u", "345"),
                        Map.entry("NOT (u > #2)", "12"),
                        Map.entry("u BETWEEN #2 AND #4", "234"),
                        Map.entry("u NOT BETWEEN #2 AND #4", "15"),
                        Map.entry("u > #1 AND u < #5", "234"),
                        Map.entry("u BETWEEN UUID #1 AND UUID #4", "1234"),
                        Map.entry("u IN (#1, #4)", "14"),
                        Map.entry("u NOT IN (UUID #1, #4)", "235"),
                        Map.entry("u = CAST(c AS UUID)", "12345"),
                        Map.entry("c = u", "12345"),
                        Map.entry("u < CAST(x'80000000000000000000000000000000' AS UUID)", "123"),
                        Map.entry(
                                "CAST(u AS VARBINARY(16)) < x'80000000000000000000000000000000'",
                                "123"),
                        Map.entry("CAST(u AS VARCHAR(4)) = '7fff'", "23"),
                        Map.entry("CAST(u AS CHAR(36)) = #4", "4"),
                        Map.entry("u LIKE '7fff%'", "23"),
                        Map.entry("CASE u WHEN #4 THEN TRUE ELSE FALSE END", "4"),
                        Map.entry("u IS NOT DISTINCT FROM UUID #4", "4"),
                        Map.entry("GREATEST(u, UUID #3) = u", "345"),
                        Map.entry("LEAST(u, UUID #3) = u", "123"),
                        Map.entry("coalesce(u, UUID #5) > #4", "56"),
                        Map.entry("UUID #1 < UUID #4 AND n > 5", "6"));
        List<String> conditions = List.copyOf(numbers.keySet());
        String columns =
                conditions.stream()
                        .map(condition -> "CASE WHEN " + condition + " THEN n END")
                        .collect(Collectors.joining(", "));
        List<StringBuilder> found = conditions.stream().map(_ -> new StringBuilder()).toList();
        for (String row : rows("SELECT " + columns + " FROM t ORDER BY n")) {
            String[] values = row.split("\\|");
            for (int i = 0; i < values.length; i++) {
                found.get(i).append(values[i].equals("null") ? "" : values[i]);
            }
        }
        for (int i = 0; i < conditions.size(); i++) {
            assertThat(found.get(i))
                    .as(conditions.get(i))
                    .hasToString(numbers.get(conditions.get(i)));
        }
    }

    @Test
    void lists_may_be_long() throws SQLException {
        String others =
                IntStream.range(0, 30)
                        .mapToObj(i -> ", '" + new UUID(i, 7) + "'")
                        .collect(Collectors.joining());
        assertThat(
                        rows(
                                "SELECT n FROM t WHERE u IN (#1, UUID #3,"
                                        + " '80000000-0000-0000-0000-00000000000A'"
                                        + others
                                        + ")"))
                .containsExactlyInAnyOrder("1", "3", "4");
        assertThat(rows("SELECT n FROM t WHERE u NOT IN (#2, #4" + others + ")"))
                .containsExactlyInAnyOrder("1", "3", "5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "k WHERE u = ?; 4",
                "k WHERE u < ?; 1,2,3",
                "k WHERE ? > u; 1,2,3",
                "k WHERE u IN (?, UUID #1); 1,4",
                "k WHERE u BETWEEN #2 AND ?; 2,3,4",
                "k WHERE u = CAST(? AS UUID); 4",
                "(SELECT * FROM k LIMIT 9) WHERE u >= ?; 4,5",
                "(SELECT * FROM k LIMIT 9) WHERE u = ?; 4",
                "(SELECT * FROM k LIMIT 9) WHERE u IN (?, #1); 1,4"
            })
    void a_parameter_is_a_uuid_or_its_text(String from, String numbers) throws SQLException {
        UUID fourth = UUID.fromString(VALUES.get(3));
        try (PreparedStatement statement =
                connection.prepareStatement(sql("SELECT n FROM " + from))) {
            for (Object value : List.of(fourth, fourth.toString(), "80000000-0000-0000-0-A")) {
                statement.setObject(1, value);
                List<String> found = new ArrayList<>();
                try (ResultSet result = statement.executeQuery()) {
                    while (result.next()) {
                        found.add(result.getString(1));
                    }
                }
                assertThat(found).containsExactly(numbers.split(","));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "SELECT n FROM t ORDER BY u; 1,2,3,4,5,6",
                "SELECT n FROM t ORDER BY u DESC; 6,5,4,3,2,1",
                "SELECT n FROM t ORDER BY u NULLS FIRST; 6,1,2,3,4,5",
                "SELECT n FROM t ORDER BY u LIMIT 2 OFFSET 2; 3,4",
                "SELECT n FROM t ORDER BY u DESC NULLS LAST LIMIT 2; 5,4",
                "SELECT n FROM (SELECT n, rank() OVER (ORDER BY u) AS r FROM t) ORDER BY r;"
                        + " 1,2,3,4,5,6",
                "SELECT max(n) FROM t GROUP BY u ORDER BY max(u); 1,2,3,4,5,6",
                "SELECT u FROM k WHERE u > #2 ORDER BY u LIMIT 2; #3,#4",
                "SELECT n FROM k ORDER BY u DESC; 5,4,3,2,1",
                "SELECT u FROM (VALUES (UUID #4), (UUID #5), (UUID #1)) AS v(u) ORDER BY u;"
                        + " #1,#4,#5",
                "SELECT min(u), max(u) FROM t; #1|#5",
                "SELECT n / 3, min(u), max(u) FROM t GROUP BY n / 3; 0|#1|#2,1|#3|#5,2|null|null",
                "SELECT max(u) OVER (ORDER BY n) FROM t WHERE n < 4; #1,#2,#3",
                "SELECT min(a.u), max(a.u), arg_max(a.n, a.u) FROM t a JOIN k ON a.n = k.n;"
                        + " #1|#5|5",
                "SELECT a.n FROM t a JOIN k ON a.u = k.u; 1,2,3,4,5",
                "SELECT a.n, k.n FROM t a JOIN k ON a.u < k.u WHERE a.n > 2; 3|4,3|5,4|5",
                "SELECT n FROM t WHERE u > (SELECT max(b.u) FROM k b WHERE b.n < 4); 4,5",
                "SELECT n FROM t WHERE u IN (SELECT b.u FROM k b WHERE b.u > #3); 4,5",
                "SELECT count(DISTINCT u), count(DISTINCT n) FROM t; 5|6",
                "SELECT u, count(DISTINCT c), count(DISTINCT n) FROM t GROUP BY u HAVING u > #4;"
                        + " #5|1|1",
                "SELECT JSON_OBJECT('u': u) FROM t WHERE n = 4;"
                        + " {\"u\":\"80000000-0000-0000-0000-00000000000a\"}",
                "SELECT u FROM t INTERSECT SELECT u FROM k WHERE u > UUID #3; #4,#5"
            })
    void order_and_extremes_are_those_of_servers(String query, String expected)
            throws SQLException {
        String[] rows = expected.split(",");
        for (int i = 0; i < rows.length; i++) {
            rows[i] = sql(rows[i]).replace("'", "");
        }
        if (query.contains(" ORDER BY ") && !query.contains("OVER (ORDER BY n)")) {
            assertThat(rows(query)).containsExactly(rows);
        } else {
            assertThat(rows(query)).containsExactlyInAnyOrder(rows);
        }
    }

    @Test
    void an_order_of_the_key_is_not_made_again() throws SQLException {
        assertThat(rows("EXPLAIN PLAN FOR SELECT u FROM k WHERE u > #2 ORDER BY u LIMIT 2"))
                .singleElement()
                .asString()
                .startsWith("StoreRead")
                .contains("fetch=[2]");
    }

    @Test
    void what_is_no_uuid_is_refused() {
        assertThatThrownBy(() -> rows("SELECT n FROM t WHERE u = 'x'"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).startsWith("22"))
                .hasMessageContaining("'x' is no UUID");
    }

    @Test
    void callers_get_javas_uuids() throws SQLException {
        UUID fourth = UUID.fromString(VALUES.get(3));
        try (Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery(
                                sql(
                                        "SELECT u, CAST(u AS VARCHAR(36)), CAST(u AS"
                                                + " VARBINARY(16)), UUID #1 FROM t WHERE n = 4"))) {
            assertThat(result.next()).isTrue();
            assertThat(result.getObject(1)).isEqualTo(fourth);
            assertThat(result.getObject("u", UUID.class)).isEqualTo(fourth);
            assertThat(result.getString(1)).isEqualTo(fourth.toString());
            assertThat(result.getString(2)).isEqualTo(fourth.toString());
            assertThat(result.getBytes(3)).hasSize(16).startsWith(-128).endsWith(10);
            assertThat(result.getObject(4)).isEqualTo(UUID.fromString(VALUES.getFirst()));
        }
    }

    private static List<String> rows(String query) throws SQLException {
        return Answers.rows(connection, sql(query));
    }
}
