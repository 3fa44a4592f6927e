package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** The driver as DriverManager and a database browser use it, on an embedded store. */
final class PenstockDriverTest {
    private static final String DDL =
            "CREATE TABLE Person (id BIGINT NOT NULL, name VARCHAR(20), score DECIMAL(9,2),"
                    + " born DATE, PRIMARY KEY (id))";

    @TempDir private Path folder;

    private String url = "";

    @BeforeEach
    void createStore() {
        url = "jdbc:penstock:" + folder.resolve("store");
        TableSchema schema = Ddl.parseCreateTable(DDL);
        try (Penstock store = Penstock.open(folder.resolve("store"))) {
            store.createTable(schema);
            store.createTable(Ddl.parseCreateTable("CREATE TABLE keyless (a INTEGER)"));
            ColumnBatch rows = ColumnBatch.forColumns(schema.columns(), 8);
            for (int row = 0; row < 5; row++) {
                ((LongColumn) rows.column(0)).values()[row] = row;
                byte[] name = ("n" + row).getBytes(StandardCharsets.UTF_8);
                rows.bytes(1).append(row, name, 0, name.length);
            }
            rows.setRowCount(5);
            store.table("person").put(rows);
        }
    }

    @Test
    void the_driver_registers_itself_and_counts_rows() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            assertThat(count(statement, "SELECT count(*) FROM person")).isEqualTo(5);
            assertThat(count(statement, "select COUNT( * ) as n from \"Person\" ;")).isEqualTo(5);
            assertThat(
                            count(
                                    statement,
                                    "SELECT count(*) FROM person WHERE id >= 2 AND name <> 'n4'"))
                    .isEqualTo(2);
        }
    }

    @Test
    void a_result_has_one_row_a_label_and_an_end() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) AS n FROM person")) {
            assertThat(result.getMetaData().getColumnLabel(1)).isEqualTo("n");
            assertThat(result.getMetaData().getColumnType(1)).isEqualTo(Types.BIGINT);
            assertThatThrownBy(() -> result.getLong(1)).isInstanceOf(SQLException.class);
            assertThat(result.next()).isTrue();
            assertThat(result.getInt("N")).isEqualTo(5);
            assertThat(result.getString(1)).isEqualTo("5");
            assertThat(result.next()).isFalse();
            assertThatThrownBy(() -> result.getLong(2)).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void wrong_statements_are_refused_with_a_sentence_and_a_state() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            assertRefused(statement, "SELECT count(*) FROM nobody", "42P01", "'nobody' not found");
            assertRefused(statement, "SELECT age FROM person", "42703", "'age' not found");
            assertRefused(statement, "SELECT FROM person", "42601", "line 1");
            assertRefused(statement, "", "42601", "");
        }
    }

    private static void assertRefused(
            Statement statement, String sql, String state, String message) {
        assertThatThrownBy(() -> statement.executeQuery(sql))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
                .hasMessageContaining(message);
    }

    @Test
    void tables_columns_and_keys_are_listed() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            DatabaseMetaData metaData = connection.getMetaData();
            assertThat(strings(metaData.getTables(null, null, null, null), "TABLE_NAME"))
                    .containsExactly("penstock_loads", "keyless", "Person");
            assertThat(
                            strings(
                                    metaData.getTables(null, null, "p%", new String[] {"TABLE"}),
                                    "TABLE_NAME"))
                    .containsExactly("Person");
            assertThat(
                            strings(
                                    metaData.getTables(null, null, "%", new String[] {"VIEW"}),
                                    "TABLE_NAME"))
                    .isEmpty();
            assertThat(strings(metaData.getColumns(null, null, "person", "%"), "COLUMN_NAME"))
                    .containsExactly("id", "name", "score", "born");
            assertThat(strings(metaData.getColumns(null, null, "keyless", null), "COLUMN_NAME"))
                    .containsExactly("a");
            assertThat(strings(metaData.getColumns(null, null, "person", "%"), "DATA_TYPE"))
                    .containsExactly(
                            Integer.toString(Types.BIGINT),
                            Integer.toString(Types.VARCHAR),
                            Integer.toString(Types.DECIMAL),
                            Integer.toString(Types.DATE));
            assertThat(strings(metaData.getPrimaryKeys(null, null, "PERSON"), "COLUMN_NAME"))
                    .containsExactly("id");
            assertThat(strings(metaData.getPrimaryKeys(null, null, "keyless"), "COLUMN_NAME"))
                    .isEmpty();
            assertThat(strings(metaData.getTypeInfo(), "TYPE_NAME")).contains("DECIMAL", "UUID");
        }
    }

    @Test
    void a_decimal_may_have_all_its_digits_after_the_point() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet types = connection.getMetaData().getTypeInfo()) {
            do {
                assertThat(types.next()).isTrue();
            } while (!"DECIMAL".equals(types.getString("TYPE_NAME")));
            assertThat(types.getInt("PRECISION")).isEqualTo(38);
            assertThat(types.getInt("MINIMUM_SCALE")).isZero();
            assertThat(types.getInt("MAXIMUM_SCALE")).isEqualTo(38);
            statement.execute("CREATE TABLE fine (n DECIMAL(38,38))");
        }
    }

    /** Tools call everything; whatever throws breaks them. */
    @Test
    void no_metadata_method_throws() throws Exception {
        try (Connection connection = DriverManager.getConnection(url)) {
            DatabaseMetaData metaData = connection.getMetaData();
            List<String> failed = new ArrayList<>();
            for (Method method : DatabaseMetaData.class.getMethods()) {
                @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
                for (int i = 0; i < arguments.length; i++) {
                    Class<?> type = method.getParameterTypes()[i];
                    arguments[i] =
                            type == int.class ? (Object) 1 : type == boolean.class ? false : null;
                }
                if (method.getName().equals("unwrap") || method.getName().equals("isWrapperFor")) {
                    arguments[0] = DatabaseMetaData.class;
                }
                try {
                    Object answer = method.invoke(metaData, arguments);
                    if (answer instanceof ResultSet result) {
                        assertThat(result.getMetaData().getColumnCount()).isPositive();
                        result.close();
                    }
                } catch (InvocationTargetException e) {
                    failed.add(method + ": " + e.getCause());
                }
            }
            assertThat(failed).isEmpty();
        }
    }

    @Test
    void a_missing_store_and_a_malformed_address_are_named() {
        assertThatThrownBy(() -> DriverManager.getConnection("jdbc:penstock:" + folder + "/none"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("/none");
        assertThatThrownBy(() -> DriverManager.getConnection("jdbc:penstock://"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("//host:port/");
    }

    @Test
    void a_closed_connection_says_so_and_frees_the_store() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        assertThat(connection.unwrap(PenstockConnection.class).store().tables()).hasSize(2);
        connection.close();
        connection.close();
        assertThat(connection.isClosed()).isTrue();
        assertThatThrownBy(connection::createStatement).isInstanceOf(SQLException.class);
        DriverManager.getConnection(url).close();
    }

    @Test
    void a_closed_connection_has_closed_its_statements() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        // The store stays open, so that statements do not fail for want of it.
        try (Connection other = DriverManager.getConnection(url)) {
            Statement statement = connection.createStatement();
            ResultSet result = statement.executeQuery("SELECT * FROM person");
            assertThat(result.next()).isTrue();
            PreparedStatement query = connection.prepareStatement("SELECT * FROM person");
            PreparedStatement insert = connection.prepareStatement("INSERT INTO person VALUES (9)");
            PreparedStatement drop = connection.prepareStatement("DROP TABLE person");
            connection.createStatement().close();
            connection.close();
            for (Statement closed : List.of(statement, query, insert, drop)) {
                assertThat(closed.isClosed()).isTrue();
            }
            assertThat(result.isClosed()).isTrue();
            assertThatThrownBy(result::next).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> statement.executeQuery("SELECT * FROM person"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> statement.execute("DROP TABLE person"))
                    .hasMessageContaining("closed");
            assertThatThrownBy(query::executeQuery).isInstanceOf(SQLException.class);
            assertThatThrownBy(insert::executeUpdate).isInstanceOf(SQLException.class);
            assertThatThrownBy(insert::addBatch).isInstanceOf(SQLException.class);
            assertThatThrownBy(drop::execute).hasMessageContaining("closed");
            statement.close();
            try (Statement still = other.createStatement()) {
                assertThat(count(still, "SELECT count(*) FROM person")).isEqualTo(5);
            }
        }
    }

    @Test
    void a_connection_is_valid_until_it_is_closed() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        assertThat(connection.isValid(0)).isTrue();
        assertThat(connection.isValid(1)).isTrue();
        assertThatThrownBy(() -> connection.isValid(-1)).isInstanceOf(SQLException.class);
        connection.close();
        assertThat(connection.isValid(1)).isFalse();
    }

    private static long count(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    private static List<String> strings(ResultSet result, String column) throws SQLException {
        List<String> strings = new ArrayList<>();
        try (result) {
            while (result.next()) {
                strings.add(result.getString(column));
            }
        }
        return strings;
    }
}
