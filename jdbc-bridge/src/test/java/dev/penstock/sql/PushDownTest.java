package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.jdbc.Answers;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What region servers do of a statement, and that it is the same as what Calcite would have done.
 */
final class PushDownTest {
    private static final TableSchema TABLE =
            Ddl.parseCreateTable(
                    "CREATE TABLE item (id INTEGER NOT NULL, part SMALLINT NOT NULL, price"
                        + " DECIMAL(9,2), sold DATE, name VARCHAR(12), ratio DOUBLE, paid BOOLEAN,"
                        + " PRIMARY KEY (id, part))");
    private static final int ROWS = 5000;

    @TempDir private static Path folder;

    private static Connection connection;

    @BeforeAll
    static void fill() throws SQLException {
        try (Penstock store = Penstock.open(folder.resolve("store"))) {
            store.createTable(TABLE);
            ColumnBatch rows = rows();
            KeyCodec keys = new KeyCodec(TABLE);
            // Within the four rows of an id, and such that regions differ in size.
            List<byte[]> points =
                    IntStream.of(402, 1200, 3001, 4990)
                            .mapToObj(row -> keys.encode(rows, row))
                            .toList();
            store.loadTarget().preSplit("item", points);
            store.table("item").put(rows);
        }
        connection = DriverManager.getConnection("jdbc:penstock:" + folder.resolve("store"));
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    private static ColumnBatch rows() {
        Random random = new Random(11);
        ColumnBatch batch = ColumnBatch.forColumns(TABLE.columns(), ROWS);
        for (int row = 0; row < ROWS; row++) {
            batch.longs(0).values()[row] = row / 4 - 100L;
            batch.longs(1).values()[row] = row % 4;
            batch.longs(2).values()[row] = random.nextInt(40_000) - 10_000L;
            batch.longs(3).values()[row] = 8_000L + random.nextInt(2_000);
            batch.longs(5).values()[row] = FloatOrder.toOrdered(random.nextInt(100) / 8.0 - 3);
            batch.longs(6).values()[row] = random.nextInt(2);
            byte[] name = ("n" + random.nextInt(300)).getBytes(StandardCharsets.UTF_8);
            batch.bytes(4).append(row, name, 0, name.length);
            for (int column = 2; column < 7; column++) {
                if (random.nextInt(10) == 0) {
                    batch.column(column).validity().setNull(row, ROWS);
                }
            }
        }
        batch.setRowCount(ROWS);
        return batch;
    }

    /** A CASE is computed by Calcite, a WHERE by the servers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "id = 17",
                "id = 17 AND part >= 2",
                "id BETWEEN -5 AND 12 OR id = 400",
                "id < 3000000000",
                "id > 12.5",
                "part IN (1, 3)",
                "part NOT IN (1, 3)",
                "price > 100",
                "price = 100.005",
                "price <= -12.34",
                "price <> 1",
                "sold >= DATE '1995-01-01' AND sold < DATE '1995-01-01' + INTERVAL '3' MONTH",
                "sold < TIMESTAMP '1994-06-01 12:00:00'",
                "name = 'n17'",
                "name LIKE 'n1%'",
                "name NOT LIKE 'n1%'",
                "name LIKE '%7'",
                "name LIKE 'N1%'",
                "name ILIKE 'N1%'",
                "name NOT ILIKE 'N1%'",
                "name ILIKE 'N17'",
                "name IN ('n1', 'n2', 'nobody')",
                "name > 'n25'",
                "ratio = 0",
                "ratio < 0.3",
                "paid",
                "NOT paid",
                "paid IS NULL",
                "price IS NOT NULL AND (paid OR sold IS NULL)",
                "price + 1 > 20 AND part = 2",
                "NOT (price > 5 AND part = 1)",
                "CAST(id AS VARCHAR(20)) < '10'",
                "CAST(id AS VARCHAR(20)) = '007'",
                "CAST(id AS VARCHAR(20)) LIKE '1%'",
                "CAST(price AS VARCHAR(20)) > '5'",
                "CAST(price AS VARCHAR(20)) IN ('1.5', '2')",
                "CAST(ratio AS VARCHAR(20)) = '1'",
                "CAST(sold AS VARCHAR(20)) > '1995'",
                "CAST(paid AS VARCHAR(20)) = 'TRUE'",
                "CAST(id AS BIGINT) < 10",
                "CAST(name AS VARCHAR(40)) < 'n2'"
            })
    void a_condition_means_the_same_here_and_there(String condition) throws SQLException {
        long there = number("SELECT count(*) FROM item WHERE " + condition);
        long here = number("SELECT sum(CASE WHEN " + condition + " THEN 1 ELSE 0 END) FROM item");
        assertThat(there).isEqualTo(here);
    }

    /** Negative numbers come after positive ones as text, and 9 after 10. */
    @Test
    void numbers_as_text_compare_as_text() throws SQLException {
        assertThat(rows("SELECT DISTINCT id FROM item WHERE CAST(id AS VARCHAR(9)) < '-10'"))
                .containsExactly("-1");
        assertThat(rows("SELECT id FROM item WHERE CAST(id AS VARCHAR(9)) = '007'")).isEmpty();
        assertThat(plan("SELECT id FROM item WHERE CAST(id AS VARCHAR(9)) = '7'"))
                .contains("EnumerableCalc");
        assertThat(plan("SELECT id FROM item WHERE CAST(id AS BIGINT) = 7"))
                .doesNotContain("EnumerableCalc");
    }

    @Test
    void conditions_columns_and_limits_go_to_the_servers() throws SQLException {
        assertThat(plan("SELECT name FROM item WHERE id = 3 AND price > 2 LIMIT 5"))
                .isEqualTo(
                        "StoreRead(table=[[penstock, item]], columns=[[name]], conditions=[[=($0,"
                                + " 3), >(CAST($2):DECIMAL(12, 2), 2.00)]], fetch=[5])");
        assertThat(plan("SELECT name FROM item WHERE price * 2 > 7 AND part = 1"))
                .contains("conditions=[[=(CAST($1):INTEGER NOT NULL, 1)]]")
                .contains("EnumerableCalc");
    }

    @Test
    void aggregates_go_to_the_servers() throws SQLException {
        assertThat(plan("SELECT part, count(*), sum(price), min(sold) FROM item GROUP BY part"))
                .startsWith("StoreRead(")
                .contains("groupBy=[{0}]", "COUNT()", "SUM($1)", "MIN($2)");
        assertThat(plan("SELECT avg(price) FROM item WHERE paid")).contains("StoreRead", "SUM");
        assertThat(plan("SELECT count(DISTINCT name) FROM item")).contains("StoreRead");
    }

    @Test
    void aggregates_are_right() throws SQLException {
        for (String value : List.of("price", "ratio", "id", "part")) {
            String functions =
                    "count(%1$s), sum(%1$s), min(%1$s), max(%1$s), count(*)".formatted(value);
            String computed =
                    "count(x), sum(x), min(x), max(x), count(*) FROM (SELECT part, name, CASE WHEN"
                            + " id > -1000 THEN "
                            + value
                            + " ELSE NULL END AS x FROM item)";
            assertThat(rows("SELECT part, " + functions + " FROM item GROUP BY part ORDER BY part"))
                    .as(value)
                    .isEqualTo(rows("SELECT part, " + computed + " GROUP BY part ORDER BY part"));
            assertThat(rows("SELECT " + functions + " FROM item WHERE id > 1000000"))
                    .as(value + " of nothing")
                    .isEqualTo(rows("SELECT " + computed + " WHERE x > 1000000"));
        }
    }

    @Test
    void sums_of_products_go_to_the_servers() throws SQLException {
        for (String product :
                List.of(
                        "price * (1 - price)",
                        "price * id",
                        "id * (part + 1) * (7 - id)",
                        "(price + 0.5) * (price - 1) * part")) {
            String query =
                    "SELECT part, sum(%s), count(%1$s), avg(%1$s) FROM %s GROUP BY part ORDER BY 1";
            assertThat(plan(query.formatted(product, "item")))
                    .as(product)
                    .contains("StoreRead", "expressions=", "groupBy=[{0}]")
                    .doesNotContain("EnumerableAggregate");
            String computed = "(SELECT * FROM item LIMIT " + ROWS + ")";
            assertThat(plan(query.formatted(product, computed))).contains("EnumerableAggregate");
            assertThat(rows(query.formatted(product, "item")))
                    .as(product)
                    .isEqualTo(rows(query.formatted(product, computed)));
        }
        for (String other : List.of("price * ratio", "price / 3", "price + id", "-price * 2")) {
            assertThat(plan("SELECT sum(" + other + ") FROM item"))
                    .as(other)
                    .contains("EnumerableAggregate");
        }
    }

    @Test
    void parameters_reach_the_servers_with_their_values() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT id, price FROM item WHERE id = ? AND part < ? AND sold > ?")) {
            for (int id : new int[] {1, 2}) {
                statement.setInt(1, id);
                statement.setBigDecimal(2, new BigDecimal("3"));
                statement.setDate(3, Date.valueOf("1970-01-02"));
                try (ResultSet result = statement.executeQuery()) {
                    while (result.next()) {
                        assertThat(result.getInt(1)).isEqualTo(id);
                    }
                }
            }
        }
    }

    @Test
    void offsets_skip_and_limits_end() throws SQLException {
        List<String> all = rows("SELECT id, part FROM item ORDER BY id, part");
        assertThat(rows("SELECT id, part FROM item OFFSET 10 ROWS FETCH NEXT 7 ROWS ONLY"))
                .isEqualTo(all.subList(10, 17));
        assertThat(rows("SELECT id, part FROM item LIMIT 0")).isEmpty();
        assertThat(rows("SELECT id, part FROM item OFFSET 4998")).hasSize(2);
    }

    /** What is ordered by a sum is sorted; it is the same order. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id, part | id + 0, part | LIMIT 7",
                "id, part | id + 0, part | OFFSET 2000",
                "id, part | id + 0, part | OFFSET 11 ROWS FETCH NEXT 5 ROWS ONLY",
                "id | id + 0 | LIMIT 40"
            })
    void the_order_of_the_key_is_not_made_again(String order, String same, String limit)
            throws SQLException {
        String query = "SELECT id, part, name FROM item WHERE price > 10 ORDER BY %s %s";
        String keyed = query.formatted(order, limit);
        assertThat(plan(keyed)).startsWith("StoreRead(").doesNotContain("Sort");
        List<String> sorted = rows(query.formatted(same, limit));
        if (order.contains("part")) {
            assertThat(rows(keyed)).isEqualTo(sorted).isNotEmpty();
        } else {
            assertThat(ids(rows(keyed))).isEqualTo(ids(sorted)).isNotEmpty();
        }
    }

    /** Beside the same order that is sorted. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id DESC, part DESC | id + 0 DESC, part DESC | price > 10 | LIMIT 7",
                "id DESC, part DESC | id + 0 DESC, part DESC | id > -1000 | LIMIT 4000",
                "id DESC, part DESC | id + 0 DESC, part DESC | id > -1000 | LIMIT 1000000",
                "id DESC, part DESC | id + 0 DESC, part DESC | id BETWEEN 3 AND 700 | LIMIT 2500",
                "id DESC, part DESC | id + 0 DESC, part DESC | id < 20 | OFFSET 11 ROWS FETCH NEXT"
                        + " 5 ROWS ONLY",
                "id DESC, part DESC | id + 0 DESC, part DESC | id < 20 | OFFSET 4000 ROWS FETCH"
                        + " NEXT 5 ROWS ONLY",
                "id DESC, part DESC | id + 0 DESC, part DESC | id > 20 | LIMIT 0",
                "part DESC | part + 0 DESC | id = 17 | LIMIT 3"
            })
    void the_last_rows_are_read_from_the_end(
            String order, String same, String condition, String limit) throws SQLException {
        String query = "SELECT id, part, name FROM item WHERE %s ORDER BY %s %s";
        String keyed = query.formatted(condition, order, limit);
        if (!limit.equals("LIMIT 0")) {
            assertThat(plan(keyed)).startsWith("StoreRead(").contains("backward=[true]");
        }
        assertThat(rows(keyed)).isEqualTo(rows(query.formatted(condition, same, limit)));
    }

    @Test
    void parameters_limit_the_last_rows() throws SQLException {
        List<String> all = rows("SELECT id, part FROM item ORDER BY id, part").reversed();
        try (PreparedStatement last =
                connection.prepareStatement(
                        "SELECT id, part FROM item ORDER BY id DESC, part DESC LIMIT ? OFFSET ?")) {
            for (int[] limit : new int[][] {{3, 0}, {20, 2}, {0, 5}, {4000, 30}, {9, 4996}}) {
                last.setInt(1, limit[0]);
                last.setInt(2, limit[1]);
                int to = Math.min(limit[1] + limit[0], ROWS);
                List<String> found = new ArrayList<>();
                try (ResultSet result = last.executeQuery()) {
                    while (result.next()) {
                        found.add(result.getInt(1) + "|" + result.getInt(2));
                    }
                }
                assertThat(found).isEqualTo(all.subList(limit[1], to));
            }
        }
    }

    @Test
    void no_order_but_the_opposite_one_is_read_from_the_end() throws SQLException {
        for (String order : List.of("id DESC, part", "id, part DESC", "part DESC", "name DESC")) {
            assertThat(plan("SELECT id, part FROM item ORDER BY " + order + " LIMIT 3"))
                    .as(order)
                    .doesNotContain("backward");
        }
        assertThat(plan("SELECT id FROM item ORDER BY id DESC")).doesNotContain("backward");
        assertThat(rows("SELECT max(id) FROM (SELECT id FROM item ORDER BY id DESC LIMIT 9)"))
                .isEqualTo(rows("SELECT max(id) FROM item"));
    }

    @ParameterizedTest
    @CsvSource({"19, true", "25, true", "1000, true", "1001, false", "3000, false"})
    void lists_of_values_are_conditions_on_columns(int count, boolean pushed) throws SQLException {
        String list = list(count);
        String of = "SELECT id, part FROM item WHERE %s IN (" + list + ")";
        String column = of.formatted("id");
        if (pushed) {
            assertThat(plan(column)).startsWith("StoreRead(").doesNotContain("Join");
        } else {
            assertThat(plan(column)).contains("Join");
        }
        List<String> expected =
                rows("SELECT id, part FROM item").stream()
                        .filter(row -> isListed(row, count))
                        .toList();
        assertThat(rows(column))
                .hasSizeGreaterThan(10)
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(rows(of.formatted("id + 0"))).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(rows("SELECT id, part FROM item WHERE id NOT IN (" + list + ")"))
                .hasSize(ROWS - expected.size());
    }

    private static String list(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> String.valueOf(3 * i - 30))
                .collect(Collectors.joining(", "));
    }

    private static boolean isListed(String row, int count) {
        int id = Integer.parseInt(row.substring(0, row.indexOf('|')));
        return id >= -30 && id % 3 == 0 && (id + 30) / 3 < count;
    }

    private static List<String> ids(List<String> rows) {
        return rows.stream().map(row -> row.substring(0, row.indexOf('|'))).toList();
    }

    @Test
    void a_column_that_has_one_value_orders_nothing() throws SQLException {
        String one = "SELECT part, name FROM item WHERE id = 17 ORDER BY part";
        assertThat(plan(one)).startsWith("StoreRead(").doesNotContain("Sort");
        assertThat(rows(one)).hasSize(4).isSorted();
        String several = "SELECT part, id FROM item WHERE id IN (17, 18) ORDER BY part";
        assertThat(plan(several)).contains("EnumerableSort");
        assertThat(rows(several)).startsWith("0|17", "0|18").hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"part", "id DESC, part", "id, name", "name", "id, part DESC"})
    void other_orders_are_made_of_no_more_rows_than_are_asked_for(String order)
            throws SQLException {
        String query = "SELECT id, part, name FROM item ORDER BY " + order;
        assertThat(plan(query)).contains("EnumerableSort(");
        assertThat(plan(query + " LIMIT 9")).contains("EnumerableLimitSort(");
        assertThat(rows(query + " LIMIT 9")).isEqualTo(rows(query).subList(0, 9));
        assertThat(rows(query + " OFFSET 4995")).isEqualTo(rows(query).subList(4995, ROWS));
    }

    /** Groups made of rows in the order of the key are in another order. */
    @Test
    void an_aggregate_of_ordered_rows_does_not_claim_their_order() throws SQLException {
        String all =
                "SELECT part, id FROM item UNION ALL"
                        + " SELECT part, max(id) FROM item GROUP BY part ORDER BY 2";
        assertThat(rows(all).stream().map(row -> Integer.valueOf(row.split("[|]")[1])))
                .hasSize(ROWS + 4)
                .isSorted();
        assertThat(rows("SELECT count(*) FROM (" + all.replace("UNION ALL", "UNION") + ")"))
                .containsExactly(String.valueOf(ROWS));
        String join =
                "SELECT a.name, a.id, b.m FROM item a JOIN (SELECT name, max(id) m FROM item GROUP"
                        + " BY name) b ON a.id = b.m ORDER BY a.id";
        String hashed = join.replace("a.id = b.m", "a.id + 0 = b.m + 0");
        assertThat(rows(join)).hasSameSizeAs(rows(hashed)).isNotEmpty();
    }

    @Test
    void a_negative_limit_never_lets_all_rows_through() throws SQLException {
        for (String order : new String[] {"id, part", "name, id"}) {
            try (PreparedStatement limited =
                    connection.prepareStatement(
                            "SELECT id FROM item ORDER BY " + order + " LIMIT ?")) {
                limited.setInt(1, 3);
                assertThat(count(limited)).isEqualTo(3);
                limited.setInt(1, -1);
                assertThat(count(limited)).isZero();
            } catch (SQLException e) {
                assertThat(e.getSQLState()).isEqualTo("42000");
            }
        }
    }

    private static int count(PreparedStatement query) throws SQLException {
        int rows = 0;
        try (ResultSet result = query.executeQuery()) {
            while (result.next()) {
                rows++;
            }
        }
        return rows;
    }

    @Test
    void rows_that_a_limit_leaves_are_read_in_the_order_of_the_key() throws SQLException {
        assertThat(
                        rows(
                                "SELECT count(*), max(id) FROM (SELECT id, price FROM item ORDER BY"
                                        + " id, part LIMIT 10) WHERE id > -1000"))
                .containsExactly("10|-98");
        assertThat(
                        rows(
                                "SELECT a.id, b.part FROM (SELECT id FROM item ORDER BY id, part"
                                        + " LIMIT 1) a JOIN item b ON a.id = b.id ORDER BY b.part"))
                .containsExactly("-100|0", "-100|1", "-100|2", "-100|3");
    }

    @Test
    void a_cancelled_statement_ends() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery(
                                "SELECT a.id FROM item a, item b WHERE a.id >= b.id")) {
            assertThat(result.next()).isTrue();
            statement.cancel();
            assertThatThrownBy(
                            () -> {
                                while (result.next()) {
                                    result.getInt(1);
                                }
                            })
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getSQLState()).isEqualTo("57014"));
        }
        assertThat(number("SELECT count(*) FROM item")).isEqualTo(ROWS);
    }

    private static String plan(String sql) throws SQLException {
        return String.join("\n", rows("EXPLAIN PLAN FOR " + sql)).strip();
    }

    private static long number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    private static List<String> rows(String sql) throws SQLException {
        return Answers.rows(connection, sql);
    }

    @Test
    void a_sum_of_more_digits_than_a_decimal_has_is_refused() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE huge (id INTEGER NOT NULL, part INTEGER, a DECIMAL(18,0), PRIMARY"
                            + " KEY (id))");
            statement.execute(
                    "INSERT INTO huge VALUES (1, 1, 900000000000000000), (2, 2,"
                            + " 900000000000000000)");
            for (String sql :
                    List.of(
                            "SELECT sum(a * a * a) FROM huge",
                            "SELECT part, sum(a * a * a) FROM huge GROUP BY part")) {
                assertThatThrownBy(() -> statement.executeQuery(sql).next())
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).startsWith("22"))
                        .hasMessageContaining("digits");
            }
            statement.execute("DROP TABLE huge");
        }
    }

    /** 70,000 groups are more than servers keep; group 0 alone they compute. */
    @Test
    void the_least_and_greatest_are_the_same_here_and_there() throws SQLException {
        String emoji = "\uD83D\uDE00";
        Object[][] values = {
            {new UUID(1, -1), emoji, new byte[] {1}},
            {new UUID(1, 1), "\uFFFD", new byte[] {-1}},
            {new UUID(-1, 0), "a", new byte[] {}},
            {new UUID(2, 0), "a" + emoji, new byte[] {127, 0}}
        };
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE wide (id INTEGER NOT NULL, n INTEGER, u UUID, v VARCHAR(9), x"
                            + " VARBINARY(9), PRIMARY KEY (id))");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO wide VALUES (?, ?, ?, ?, ?)")) {
                for (int i = 0; i < 70_000; i++) {
                    insert.setInt(1, i);
                    insert.setInt(2, i < values.length ? 0 : i);
                    for (int k = 0; k < 3; k++) {
                        insert.setObject(3 + k, values[i % values.length][k]);
                    }
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            String query =
                    "SELECT n, min(u), max(u), min(v), max(v), min(x), max(x) FROM wide %s GROUP BY"
                            + " n";
            List<String> there = rows(query.formatted("WHERE n = 0"));
            assertThat(there)
                    .containsExactly(
                            "0|%s|%s|a|%s||ff".formatted(new UUID(1, 1), new UUID(-1, 0), emoji));
            assertThat(
                            rows(query.formatted("")).stream()
                                    .filter(row -> row.startsWith("0|"))
                                    .toList())
                    .isEqualTo(there);
            statement.execute("DROP TABLE wide");
        }
    }

    @Test
    void more_groups_than_a_server_keeps_are_made_here() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE many (id INTEGER NOT NULL, n INTEGER, PRIMARY KEY (id))");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO many VALUES (?, ?)")) {
                for (int i = 0; i < 70_000; i++) {
                    insert.setInt(1, i);
                    insert.setInt(2, i / 2 * 2);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            assertThat(
                            Answers.rows(
                                    connection,
                                    "SELECT count(*), sum(c), sum(s) FROM (SELECT id, count(*) AS"
                                            + " c, sum(n) AS s FROM many GROUP BY id)"))
                    .containsExactly("70000|70000|2449930000");
            statement.execute("DROP TABLE many");
        }
    }
}
