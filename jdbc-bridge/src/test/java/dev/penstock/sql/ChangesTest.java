package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jdbc.Answers;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** INSERT, UPSERT, UPDATE and DELETE: what is stored afterwards, and what is refused. */
final class ChangesTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        Path place = folder.resolve("store");
        try (Penstock store = Penstock.open(place)) {
            store.createTable(
                    Ddl.parseCreateTable(
                            "CREATE TABLE stock (shop VARCHAR(8) NOT NULL, item INTEGER NOT NULL,"
                                + " amount INTEGER, price DECIMAL(9,2), seen TIMESTAMP, PRIMARY KEY"
                                + " (shop, item))"));
            store.createTable(
                    Ddl.parseCreateTable("CREATE TABLE log (line VARCHAR(40), at TIMESTAMP)"));
        }
        connection = DriverManager.getConnection("jdbc:penstock:" + place);
        change(
                "INSERT INTO stock VALUES ('a', 1, 10, 1.50, TIMESTAMP '2026-01-02 03:04:05'),"
                        + " ('a', 2, 20, NULL, NULL), ('b', 1, NULL, 2.25, NULL)");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void inserted_rows_are_there() throws SQLException {
        assertThat(rows("SELECT * FROM stock ORDER BY shop, item"))
                .containsExactly(
                        "a|1|10|1.50|2026-01-02 03:04:05.000",
                        "a|2|20|null|null",
                        "b|1|null|2.25|null");
        assertThat(change("INSERT INTO stock (item, shop) VALUES (7, 'c')")).isEqualTo(1);
        assertThat(rows("SELECT * FROM stock WHERE shop = 'c'"))
                .containsExactly("c|7|null|null|null");
        assertThat(
                        change(
                                "INSERT INTO stock SELECT 'copy', item + 10, amount, price, seen"
                                        + " FROM stock WHERE shop = 'a'"))
                .isEqualTo(2);
        assertThat(rows("SELECT item, amount FROM stock WHERE shop = 'copy'"))
                .containsExactly("11|10", "12|20");
    }

    @Test
    void more_values_than_columns_are_refused_in_words() throws SQLException {
        for (String wrong :
                List.of(
                        "INSERT INTO log VALUES ('a', NULL, 1)",
                        "INSERT INTO log VALUES ('a', NULL, 1), ('b', NULL, 2)",
                        "INSERT INTO log SELECT shop, seen, item FROM stock",
                        "EXPLAIN PLAN FOR INSERT INTO log VALUES ('a', NULL, 1)",
                        "UPSERT INTO stock VALUES ('a', 2, 21, 9.99, NULL, 7)")) {
            assertRefused(wrong, "42000");
            assertThatThrownBy(() -> change(wrong))
                    .hasMessageStartingWith("Number of INSERT target columns (");
        }
        assertThat(rows("SELECT count(*) FROM log")).containsExactly("0");
        assertThat(rows("SELECT count(*) FROM stock")).containsExactly("3");
    }

    @Test
    void a_key_is_inserted_once_and_replaced_by_upsert() throws SQLException {
        assertRefused("INSERT INTO stock (shop, item) VALUES ('d', 1), ('a', 2)", "23505");
        assertRefused("INSERT INTO stock (shop, item) VALUES ('d', 1), ('d', 1)", "23505");
        assertThat(rows("SELECT * FROM stock WHERE shop = 'd'")).isEmpty();
        assertThat(change("UPSERT INTO stock VALUES ('a', 2, 21, 9.99, NULL)")).isEqualTo(1);
        assertThat(rows("SELECT amount, price FROM stock WHERE shop = 'a' AND item = 2"))
                .containsExactly("21|9.99");
        assertThat(rows("SELECT count(*) FROM stock")).containsExactly("3");
    }

    @Test
    void updates_change_what_their_condition_names() throws SQLException {
        assertThat(change("UPDATE stock SET amount = amount + 5, price = 3 WHERE shop = 'a'"))
                .isEqualTo(2);
        assertThat(rows("SELECT item, amount, price FROM stock WHERE shop = 'a'"))
                .containsExactly("1|15|3.00", "2|25|3.00");
        assertThat(change("UPDATE stock SET item = item + 1 WHERE shop = 'a'")).isEqualTo(2);
        assertThat(rows("SELECT item, amount FROM stock WHERE shop = 'a'"))
                .containsExactly("2|15", "3|25");
        assertThat(change("UPDATE stock SET amount = 0 WHERE shop = 'nowhere'")).isZero();
    }

    @Test
    void an_update_gives_no_row_the_key_of_another() throws SQLException {
        List<String> before = rows("SELECT * FROM stock ORDER BY shop, item");
        assertRefused("UPDATE stock SET item = 2 WHERE shop = 'a' AND item = 1", "23505");
        assertRefused("UPDATE stock SET item = 7 WHERE shop = 'a'", "23505");
        assertRefused("UPDATE stock SET item = 3 - item, amount = 1 WHERE item = 1", "23505");
        assertThat(rows("SELECT * FROM stock ORDER BY shop, item")).isEqualTo(before);
        assertThat(change("UPDATE stock SET item = 3 - item WHERE shop = 'a'")).isEqualTo(2);
        assertThat(rows("SELECT item, amount FROM stock WHERE shop = 'a' ORDER BY item"))
                .containsExactly("1|20", "2|10");
    }

    @Test
    void columns_of_the_changed_table_may_be_named_in_full() throws SQLException {
        assertThat(change("UPDATE stock SET amount = 1 WHERE penstock.stock.item = 2"))
                .isEqualTo(1);
        assertThat(change("UPDATE penstock.stock SET amount = 2 WHERE stock.item = 2"))
                .isEqualTo(1);
        assertThat(change("UPDATE Penstock.Stock SET amount = 3 WHERE penstock.stock.item = 2"))
                .isEqualTo(1);
        assertThat(change("DELETE FROM stock WHERE penstock.stock.amount = 3")).isEqualTo(1);
    }

    @Test
    void deletes_remove_what_their_condition_names() throws SQLException {
        assertThat(change("DELETE FROM stock WHERE amount IS NULL OR price > 100")).isEqualTo(1);
        assertThat(rows("SELECT shop, item FROM stock")).containsExactly("a|1", "a|2");
        assertThat(change("DELETE FROM stock")).isEqualTo(2);
        assertThat(rows("SELECT count(*) FROM stock")).containsExactly("0");
    }

    @Test
    void batches_of_parameters_are_stored() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO stock (shop, item, amount, price) VALUES (?, ?, ?, ?)")) {
            for (int i = 0; i < 20; i++) {
                insert.setString(1, "batch");
                insert.setInt(2, i);
                insert.setObject(3, i % 2 == 0 ? i : null);
                insert.setBigDecimal(4, BigDecimal.valueOf(i, 1));
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(20).containsOnly(1);
        }
        assertThat(
                        rows(
                                "SELECT count(*), count(amount), sum(price) FROM stock WHERE shop ="
                                        + " 'batch'"))
                .containsExactly("20|10|19.00");
    }

    @Test
    void tables_without_a_key_take_rows_and_nothing_else() throws SQLException {
        assertThat(change("INSERT INTO log (line) VALUES ('one'), ('one'), (NULL)")).isEqualTo(3);
        assertThat(rows("SELECT line, count(*) FROM log GROUP BY line ORDER BY 2"))
                .containsExactly("null|1", "one|2");
        assertRefused("DELETE FROM log WHERE line = 'one'", "42000");
    }

    @Test
    void literals_have_letters_of_any_language() throws SQLException {
        change("INSERT INTO log (line) VALUES ('日本'), ('Ω')");
        assertThat(rows("SELECT line FROM log WHERE line LIKE '日%'")).containsExactly("日本");
        assertThat(rows("SELECT line FROM log WHERE line || 'ß' = 'Ωß'")).containsExactly("Ω");
    }

    @Test
    void wrong_values_change_nothing() throws SQLException {
        assertRefused("INSERT INTO stock (shop, item, price) VALUES ('x', 1, 123456789)", "22003");
        assertRefused("INSERT INTO stock (shop) VALUES ('x')", "23502");
        assertRefused("INSERT INTO stock (shop, item) VALUES ('x', 1, 2)", "42000");
        assertRefused("INSERT INTO stock (shop, item) VALUES ('nine char', 1)", "22000");
        assertRefused("UPDATE stock SET shop = shop || ' and more than eight'", "22000");
        assertThat(rows("SELECT count(*) FROM stock")).containsExactly("3");
    }

    @Test
    void numbers_that_do_not_fit_a_real_are_refused_as_they_are_written() throws SQLException {
        change("CREATE TABLE ratio (id INTEGER NOT NULL, r REAL, d DOUBLE, PRIMARY KEY (id))");
        for (String sql :
                List.of(
                        "INSERT INTO ratio (id, r) VALUES (1, 1e39)",
                        "INSERT INTO ratio (id, r) VALUES (1, 1e0), (2, -1e39)",
                        "INSERT INTO ratio (id, r) SELECT 3, 1e39",
                        "UPSERT INTO ratio (id, r) VALUES (1," + " 4e38)",
                        "UPDATE ratio SET r = 1e39")) {
            assertRefused(sql, "22003");
        }
        assertThat(rows("SELECT * FROM ratio")).isEmpty();
        change(
                "INSERT INTO ratio VALUES (1, 3.4e38, 1e39), (2, CAST('Infinity' AS REAL),"
                        + " CAST('NaN' AS DOUBLE))");
        change("UPDATE ratio SET d = -d");
        assertThat(rows("SELECT * FROM ratio ORDER BY id"))
                .containsExactly("1|3.4E38|-1.0E39", "2|Infinity|NaN");
        change("DROP TABLE ratio");
    }

    private void assertRefused(String sql, String state) {
        assertThatThrownBy(() -> change(sql))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(state));
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
