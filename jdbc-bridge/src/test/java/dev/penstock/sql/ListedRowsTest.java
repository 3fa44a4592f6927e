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

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Statements that list more values than Java compiles as code. */
final class ListedRowsTest {
    private static final int MANY = 12_000;

    /** Of each column, in the order of the table: how the value of a number is written. */
    private static final List<IntFunction<String>> WRITTEN =
            List.of(
                    i -> "" + i,
                    i -> "" + (i * 4_000_000_000L),
                    i -> i + ".25",
                    i -> i + ".125e0",
                    i -> i + ".5e0",
                    i -> "'text " + i + "'",
                    i -> "'c" + i + "'",
                    i -> "DATE '" + (1900 + i / 336) + monthAndDay(i) + "'",
                    i -> "TIMESTAMP '2026-" + monthAndDay(i % 336).substring(1) + time(i) + "'",
                    i -> "UUID '00000000-0000-0000-8000-" + "%012d".formatted(i) + "'",
                    i -> "X'" + "%06X".formatted(i) + "'");

    private static final String NAMES = "id, l, d, f, r, s, c, dt, ts, u, b";

    @TempDir private static Path folder;

    private static Connection connection;

    private static String monthAndDay(int i) {
        return String.format(Locale.ROOT, "-%02d-%02d", i % 336 / 28 + 1, i % 28 + 1);
    }

    private static String time(int i) {
        return String.format(Locale.ROOT, " %02d:%02d:%02d", i / 3600 % 24, i / 60 % 60, i % 60);
    }

    @BeforeAll
    static void fill() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE t (id INTEGER NOT NULL, l BIGINT, d DECIMAL(9,2), f DOUBLE,"
                            + " r REAL, s VARCHAR(20), c CHAR(6), dt DATE, ts TIMESTAMP, u UUID,"
                            + " b VARBINARY(3), PRIMARY KEY (id))");
            String rows =
                    IntStream.of(0, 1, 2, 5, 6, 4999, 5000, MANY - 1)
                            .mapToObj(ListedRowsTest::row)
                            .collect(Collectors.joining(", "));
            statement.execute("INSERT INTO t VALUES " + rows);
            statement.execute("INSERT INTO t (id) VALUES (-1)");
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    private static String row(int i) {
        return WRITTEN.stream()
                .map(written -> written.apply(i))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    /** The even ones. */
    private static String list(IntFunction<String> written) {
        return IntStream.range(0, MANY)
                .filter(i -> i % 2 == 0)
                .mapToObj(written)
                .collect(Collectors.joining(", "));
    }

    private static List<String> rows(String sql) throws SQLException {
        return Answers.rows(connection, sql);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"})
    void values_of_every_type_are_found_in_long_lists(int column) throws SQLException {
        String name = NAMES.split(", ")[column];
        String list = list(WRITTEN.get(column));
        String select = "SELECT id FROM t WHERE " + name;
        assertThat(rows(select + " IN (" + list + ")"))
                .containsExactlyInAnyOrder("0", "2", "6", "5000");
        assertThat(rows(select + " NOT IN (" + list + ") AND id >= 0"))
                .containsExactlyInAnyOrder("1", "5", "4999", "" + (MANY - 1));
    }

    @Test
    void null_in_a_long_list_is_equal_to_nothing() throws SQLException {
        String list = list(WRITTEN.get(1)) + ", NULL";
        assertThat(rows("SELECT id FROM t WHERE l IN (" + list + ")"))
                .containsExactlyInAnyOrder("0", "2", "6", "5000");
        assertThat(rows("SELECT id FROM t WHERE l NOT IN (" + list + ")")).isEmpty();
    }

    @Test
    void lists_may_be_of_rows() throws SQLException {
        String list = list(i -> "(" + i + ", 'text " + (i % 4 == 0 ? i : -1) + "')");
        assertThat(rows("SELECT id FROM t WHERE (id, s) IN (" + list + ")"))
                .containsExactlyInAnyOrder("0", "5000");
    }

    @Test
    void lists_may_be_tables() throws SQLException {
        String all =
                IntStream.range(0, 2000)
                        .mapToObj(ListedRowsTest::row)
                        .collect(Collectors.joining(", "));
        String table = " FROM (VALUES " + all + ") AS v (" + NAMES + ")";
        assertThat(rows("SELECT count(*), sum(l), sum(d), max(s)" + table))
                .containsExactly("2000|7996000000000000|1999500.00|text 999");
        assertThat(rows("SELECT " + NAMES + table + " WHERE id IN (1, 5)"))
                .containsExactlyInAnyOrder(
                        "1|4000000000|1.25|1.125|1.5|text 1|c1|1900-01-02|2026-01-02 00:00:01|"
                                + "00000000-0000-0000-8000-000000000001|000001",
                        "5|20000000000|5.25|5.125|5.5|text 5|c5|1900-01-06|2026-01-06 00:00:05|"
                                + "00000000-0000-0000-8000-000000000005|000005");
        String empty = " FROM (VALUES " + list(i -> "(" + i + ", NULL)") + ") AS v (id, n)";
        assertThat(rows("SELECT count(*), count(n)" + empty)).containsExactly("6000|0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "INTEGER; %1$d; %1$d",
                "TIMESTAMP; '2026-01-01 00:%2$02d:%3$02d.5'; 2026-01-01 00:%2$02d:%3$02d.500",
                "DATE; '20%3$02d-01-01'; 20%3$02d-01-01",
                "DOUBLE; %1$d.5; %1$d.5",
                "DOUBLE; %1$d; %1$d.0",
                "DOUBLE; %1$d%5$s; %1$d%6$s",
                "DECIMAL(9,2); '-%1$d%5$s'; -%1$d%7$s",
                "DECIMAL(9,2); '%1$d.5'; %1$d.50",
                "DECIMAL(9,2); %3$d.%3$02d; %3$d.%3$02d",
                "BIGINT; CAST('%1$d' AS BIGINT) + 1; %4$d",
                "VARCHAR(9); 'a' || 'b%1$d'; ab%1$d",
                "VARCHAR(9); %1$d; %1$d",
                "UUID; '00000000-0000-0000-8000-%1$012d'; 00000000-0000-0000-8000-%1$012d",
                "VARBINARY(4); X'%1$08X'; %1$08x",
                "BOOLEAN; %1$d > 1; true"
            })
    void rows_of_one_insert_are_alike(String type, String written, String stored)
            throws SQLException {
        List<Integer> numbers = IntStream.range(2, 1202).boxed().toList();
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS m");
            statement.execute(
                    "CREATE TABLE m (id INTEGER NOT NULL, v " + type + ", PRIMARY KEY (id))");
            String insert =
                    "INSERT INTO m VALUES (1, NULL)"
                            + numbers.stream()
                                    .map(i -> ", (" + i + ", " + of(written, i) + ")")
                                    .collect(Collectors.joining());
            assertThat(rows("EXPLAIN PLAN FOR " + insert).getFirst().lines()).hasSizeLessThan(20);
            assertThat(statement.executeUpdate(insert)).isEqualTo(numbers.size() + 1);
        }
        assertThat(rows("SELECT id FROM m WHERE v IS NULL")).containsExactly("1");
        assertThat(rows("SELECT v FROM m WHERE id > 1 ORDER BY id"))
                .containsExactlyElementsOf(numbers.stream().map(i -> of(stored, i)).toList());
    }

    private static String of(String format, int i) {
        boolean whole = i % 2 == 0;
        return String.format(
                Locale.ROOT,
                format,
                i,
                i / 60 % 60,
                i % 60,
                i + 1,
                whole ? "" : ".5",
                whole ? ".0" : ".5",
                whole ? ".00" : ".50");
    }

    @Test
    void rows_of_a_few_forms_are_a_list_for_each() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE forms (id INTEGER NOT NULL, t TIMESTAMP, d DOUBLE, PRIMARY KEY"
                            + " (id))");
            List<String> times =
                    List.of(
                            "TIMESTAMP '2026-01-01 10:00:00'",
                            "CAST('2026-01-01 10:00:00' AS TIMESTAMP)",
                            "NULL");
            List<String> numbers = List.of("1", "1.0", "1e0", "1", "NULL", "2 - 1");
            String rows =
                    IntStream.range(0, 2000)
                            .mapToObj(i ->
                                    "(%d, %s, %s)"
                                            .formatted(i, times.get(i % 3), numbers.get(i % 6)))
                            .collect(Collectors.joining(", "));
            assertThat(statement.executeUpdate("INSERT INTO forms VALUES " + rows)).isEqualTo(2000);
        }
        assertThat(
                        rows(
                                "SELECT mod(id, 6), min(t), max(t), min(d), max(d), count(*) FROM"
                                        + " forms GROUP BY mod(id, 6) ORDER BY 1"))
                .containsExactly(
                        "0|2026-01-01 10:00:00.000|2026-01-01 10:00:00.000|1.0|1.0|334",
                        "1|2026-01-01 10:00:00.000|2026-01-01 10:00:00.000|1.0|1.0|334",
                        "2|null|null|1.0|1.0|333",
                        "3|2026-01-01 10:00:00.000|2026-01-01 10:00:00.000|1.0|1.0|333",
                        "4|2026-01-01 10:00:00.000|2026-01-01 10:00:00.000|null|null|333",
                        "5|null|null|1.0|1.0|333");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "TIMESTAMP; NULL; '2026-01-01 10:00:00'; 2026-01-01 10:00:00.000",
                "TIMESTAMP; TIMESTAMP '2026-01-02 10:00:00'; '2026-01-01 10:00:00';"
                        + " 2026-01-01 10:00:00.000",
                "DATE; DATE '2026-01-02'; '2026-01-01'; 2026-01-01",
                "DATE; CURRENT_DATE; '2026-01-01'; 2026-01-01",
                "DECIMAL(9,2); 1; '-1.5'; -1.50",
                "DECIMAL(9,2); '1'; -1.5; -1.50",
                "INTEGER; NULL; '17'; 17",
                "INTEGER; DEFAULT; '17'; 17",
                "DOUBLE; 1e0; '1.5'; 1.5",
                "BOOLEAN; NULL; 'true'; true",
                "VARCHAR(9); NULL; 1; 1",
                "VARCHAR(9); 'a'; -1; -1",
                "UUID; NULL; '00000000-0000-0000-8000-000000000001';"
                        + " 00000000-0000-0000-8000-000000000001",
                "UUID; UUID '00000000-0000-0000-8000-000000000002';"
                        + " '00000000-0000-0000-8000-000000000001';"
                        + " 00000000-0000-0000-8000-000000000001"
            })
    void texts_may_stand_beside_other_values_of_a_column(
            String type, String first, String second, String stored) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS mixed");
            statement.execute(
                    "CREATE TABLE mixed (id INTEGER NOT NULL, v " + type + ", PRIMARY KEY (id))");
            String one = "(1, " + first + "), (2, " + second + ")";
            String other = "(" + second + ", 3), (" + first + ", 4)";
            assertThat(statement.executeUpdate("INSERT INTO mixed VALUES " + one)).isEqualTo(2);
            assertThat(statement.executeUpdate("UPSERT INTO mixed (v, ID) VALUES " + other))
                    .isEqualTo(2);
        }
        assertThat(rows("SELECT v FROM mixed WHERE id IN (2, 3)")).containsExactly(stored, stored);
        assertThat(rows("SELECT v FROM mixed WHERE id = 1"))
                .isEqualTo(rows("SELECT v FROM mixed WHERE id = 4"))
                .doesNotContain(stored);
    }

    @Test
    void of_rows_with_one_key_the_last_stays_whatever_their_forms() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE again (id INTEGER NOT NULL, d DATE, PRIMARY KEY (id))");
            String text = "(%d, '2026-01-0%d')";
            String date = "(%d, DATE '2026-01-0%d')";
            assertThat(
                            statement.executeUpdate(
                                    "UPSERT INTO again VALUES "
                                            + text.formatted(9, 1)
                                            + ", "
                                            + text.formatted(1, 2)
                                            + ", "
                                            + date.formatted(1, 3)
                                            + ", "
                                            + date.formatted(2, 4)
                                            + ", "
                                            + text.formatted(1, 5)
                                            + ", "
                                            + text.formatted(2, 6)))
                    .isEqualTo(6);
        }
        assertThat(rows("SELECT id, d FROM again ORDER BY id"))
                .containsExactly("1|2026-01-05", "2|2026-01-06", "9|2026-01-01");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "%1$d IN (1, 2, 5); false",
                "CAST('%1$d' AS INTEGER) IN (1, 2, 5, 1001); false",
                "DATE '2026-01-01' < CURRENT_DATE AND %1$d > 0; true",
                "CAST('0%2$d-02-2026' AS DATE FORMAT 'DD-MM-YYYY'); 2026-02-0%2$d",
                "UPPER('a%1$d'); A%1$d",
                "TRIM(LEADING 'x' FROM 'xx%1$d'); %1$d",
                "EXTRACT(YEAR FROM DATE '2026-01-01') + %2$d; %3$d",
                "CASE WHEN %2$d > 4 THEN 'more' ELSE NULL END; %4$s",
                "1.5e0 * %1$d / 3; %5$s"
            })
    void rows_may_be_of_any_expressions(String written, String shown) throws SQLException {
        List<Integer> numbers = IntStream.range(100, 140).boxed().toList();
        String table =
                numbers.stream()
                        .map(i -> "(" + i + ", " + expression(written, i) + ")")
                        .collect(Collectors.joining(", ", "(VALUES ", ") AS v (id, x)"));
        assertThat(rows("SELECT x FROM " + table + " ORDER BY id"))
                .containsExactlyElementsOf(
                        numbers.stream().map(i -> expression(shown, i)).toList());
    }

    private static String expression(String format, int i) {
        int digit = i % 9 + 1;
        String word = digit > 4 ? "more" : "null";
        return String.format(Locale.ROOT, format, i, digit, 2026 + digit, word, 0.5 * i);
    }

    @Test
    void rows_may_be_without_anything_to_differ_in() throws SQLException {
        String table = " FROM (VALUES (CURRENT_DATE), (CURRENT_DATE), (CURRENT_DATE)) AS v (d)";
        assertThat(rows("SELECT count(*)" + table)).containsExactly("3");
        assertThat(rows("SELECT count(DISTINCT d)" + table)).containsExactly("1");
        String casts = " FROM (VALUES (CAST('1' AS BIGINT)), (CAST('2' AS BIGINT))) AS v (n)";
        assertThat(rows("SELECT count(*)" + casts)).containsExactly("2");
    }

    @Test
    void lists_may_be_the_whole_statement() throws SQLException {
        String rows = list(i -> "(" + i + ", 'text " + i + "', NULL)");
        assertThat(rows("VALUES " + rows))
                .hasSize(MANY / 2)
                .contains("0|text 0|null", "11998|text 11998|null");
        assertThat(rows("VALUES " + list(i -> "(" + i + ")"))).hasSize(MANY / 2).contains("11998");
    }

    @Test
    void what_is_too_large_for_its_column_is_refused() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE big (id INTEGER NOT NULL, r REAL, PRIMARY KEY (id))");
        }
        assertThatThrownBy(() ->
                        connection.prepareStatement("INSERT INTO big VALUES (?, 1.5e0), (?, 1e39)"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("is too large for a REAL");
        assertThat(rows("SELECT count(*) FROM big")).containsExactly("0");
    }

    @Test
    void what_is_no_value_of_its_column_is_refused_wherever_it_is() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE r (id INTEGER NOT NULL, d DATE, PRIMARY KEY (id))");
            String rows =
                    IntStream.range(0, 100)
                            .mapToObj(i -> "(" + i + ", '2026-0" + (i == 77 ? "x" : "1") + "-01')")
                            .collect(Collectors.joining(", "));
            for (String wrong :
                    List.of("INSERT INTO r VALUES " + rows, "DELETE FROM r WHERE d = 'x'")) {
                assertThatThrownBy(() -> statement.executeUpdate(wrong))
                        .isInstanceOf(SQLDataException.class)
                        .hasMessageStartingWith("Invalid DATE value, '")
                        .extracting(failure -> ((SQLException) failure).getSQLState())
                        .isEqualTo("22007");
            }
            assertThatThrownBy(() -> rows("SELECT id FROM r WHERE d = '2026-13-01'"))
                    .isInstanceOf(SQLDataException.class)
                    .hasMessage("Value of MONTH field is out of range in '2026-13-01'");
        }
        assertThat(rows("SELECT count(*) FROM r")).containsExactly("0");
    }

    /** In order, as a join by merging wants them; what it is planned as depends on the sizes. */
    @ParameterizedTest
    @CsvSource({"1, 1000", "8, 1000", "60, 600", "1000, 1000", "3000, 1000", "2000, 2500"})
    void long_lists_are_joined(int tableRows, int listed) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE j (id INTEGER NOT NULL, PRIMARY KEY (id))");
            statement.execute("INSERT INTO j VALUES " + numbers(tableRows, "(%d)"));
            String list = "(VALUES " + numbers(listed, "(%1$d, 'n%1$d')") + ") AS v(id, n)";
            int common = Math.min(tableRows, listed);
            String last = (common - 1) + "|n" + (common - 1);
            for (String from :
                    List.of("j JOIN " + list, list.replace("v(", "j(") + " JOIN j AS v(id)")) {
                String n = from.startsWith("j") ? "v.n" : "j.n";
                List<String> joined =
                        rows("SELECT j.id, " + n + " FROM " + from + " ON j.id = v.id ORDER BY 1");
                assertThat(joined).hasSize(common).last().isEqualTo(last);
            }
            String few = "(VALUES " + numbers(common, "(%d, 1)") + ") AS w(id, m)";
            assertThat(rows("SELECT sum(m) FROM " + list + " JOIN " + few + " ON v.id = w.id"))
                    .containsExactly(Integer.toString(common));
            statement.execute("DROP TABLE j");
        }
    }

    private static String numbers(int count, String row) {
        return IntStream.range(0, count)
                .mapToObj(i -> row.formatted(i))
                .collect(Collectors.joining(", "));
    }

    @Test
    void many_rows_of_parameters_are_inserted_again_and_again() throws SQLException {
        int rowCount = 3000;
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE p (id BIGINT NOT NULL, s VARCHAR(9), d DOUBLE, n DECIMAL(9,2),"
                            + " t TIMESTAMP, u UUID, b VARBINARY(4), f BOOLEAN, PRIMARY KEY (id))");
        }
        String rows = ", (?, ?, ?, ?, ?, ?, ?, ?)".repeat(rowCount).substring(2);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO p VALUES " + rows)) {
            for (int run = 0; run < 2; run++) {
                for (int i = 0; i < rowCount; i++) {
                    set(insert, 8 * i, run * rowCount + i);
                }
                assertThat(insert.executeUpdate()).isEqualTo(rowCount);
            }
        }
        assertThat(rows("SELECT count(*), count(s), sum(d), sum(n), count(f) FROM p"))
                .containsExactly("6000|3000|8998500.0|17998500.00|6000");
        assertThat(rows("SELECT * FROM p WHERE id IN (2, 3001)"))
                .containsExactlyInAnyOrder(
                        "2|s2|1.0|2.25|2026-01-01 00:00:02.000|00000000-0000-0001-8000-000000000002"
                                + "|02|true",
                        "3001|null|1500.5|3001.25|2026-01-01 00:50:01.000|00000000-0000-0001-8000-"
                                + "000000000bb9|b9|false");
    }

    private static void set(PreparedStatement insert, int at, int i) throws SQLException {
        insert.setInt(at + 1, i);
        insert.setString(at + 2, i % 2 == 0 ? "s" + i : null);
        insert.setDouble(at + 3, i / 2.0);
        insert.setBigDecimal(at + 4, BigDecimal.valueOf(100L * i + 25, 2));
        insert.setString(
                at + 5,
                String.format(
                        Locale.ROOT, "2026-01-01 %02d:%02d:%02d", i / 3600, i / 60 % 60, i % 60));
        insert.setObject(at + 6, new UUID(1, Long.MIN_VALUE + i));
        insert.setBytes(at + 7, new byte[] {(byte) i});
        insert.setBoolean(at + 8, i % 2 == 0);
    }

    @ParameterizedTest
    @CsvSource({"id", "l", "s", "u"})
    void long_lists_may_be_of_parameters(String column) throws SQLException {
        String list = ", ?".repeat(3000).substring(2);
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT id FROM t WHERE " + column + " IN (" + list + ")")) {
            for (int i = 0; i < 3000; i++) {
                switch (column) {
                    case "id" -> select.setInt(i + 1, 2 * i);
                    case "l" -> select.setLong(i + 1, 8_000_000_000L * i);
                    case "s" -> select.setString(i + 1, "text " + 2 * i);
                    default ->
                            select.setObject(
                                    i + 1,
                                    UUID.fromString(
                                            "00000000-0000-0000-8000-" + "%012d".formatted(2 * i)));
                }
            }
            List<String> found = new ArrayList<>();
            try (ResultSet result = select.executeQuery()) {
                while (result.next()) {
                    found.add(result.getString(1));
                }
            }
            assertThat(found).containsExactlyInAnyOrder("0", "2", "6", "5000");
        }
    }

    @Test
    void many_rows_are_inserted_by_one_statement() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE many (id INTEGER NOT NULL, s VARCHAR(9), PRIMARY KEY (id))");
            String rows = list(i -> "(" + i + ", 's" + i + "')");
            assertThat(statement.executeUpdate("INSERT INTO many VALUES " + rows))
                    .isEqualTo(MANY / 2);
        }
        assertThat(
                        rows(
                                "SELECT count(*), max(id) FROM many WHERE s = 's' || CAST(id AS"
                                        + " VARCHAR(9))"))
                .containsExactly((MANY / 2) + "|" + (MANY - 2));
    }
}
