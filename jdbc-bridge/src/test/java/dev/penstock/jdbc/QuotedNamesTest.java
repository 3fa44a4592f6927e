package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Names that need quotes: the metadata tells them as they were written, and finds them by that. */
final class QuotedNamesTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @SuppressWarnings("NullAway.Init") // of the connection
    private DatabaseMetaData metaData;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        metaData = connection.getMetaData();
        change("CREATE TABLE ab (x INTEGER NOT NULL, PRIMARY KEY (x))");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MixedCase",
                "two words",
                "select",
                "under_score",
                "per%cent",
                "a\\b",
                "a-b",
                "a@b",
                "$1",
                "(x), [y]; {z}",
                "it's",
                "say \"hi\"",
                "ÄrgerÉtat",
                "名前",
                "smile 😀!"
            })
    void a_name_is_told_as_stored_and_found(String name) throws SQLException {
        String quoted = "\"" + name.replace("\"", "\"\"") + "\"";
        change(
                "CREATE TABLE "
                        + quoted
                        + " ("
                        + quoted
                        + " INTEGER NOT NULL, other INTEGER, PRIMARY KEY ("
                        + quoted
                        + "))");
        change("INSERT INTO " + quoted + " (" + quoted + ") VALUES (1)");
        assertThat(Answers.rows(connection, "SELECT " + quoted + " FROM " + quoted))
                .containsExactly("1");
        for (String asked : List.of(name, escaped(name), name.toLowerCase(Locale.ROOT))) {
            assertThat(tables(asked)).contains(name);
            assertThat(columns(asked, null)).contains(name + "|" + name, name + "|other");
            assertThat(columns(name, asked)).contains(name + "|" + name);
        }
        assertThat(tables(escaped(name))).containsExactly(name);
        assertThat(columns(escaped(name), escaped(name))).containsExactly(name + "|" + name);
        assertThat(strings(metaData.getPrimaryKeys(null, null, name), "TABLE_NAME", "COLUMN_NAME"))
                .containsExactly(name + "|" + name);
        change("DROP TABLE " + quoted);
        assertThat(tables(null)).containsExactly("penstock_loads", "ab");
    }

    @Test
    void the_name_of_a_column_may_have_a_dot() throws SQLException {
        change("CREATE TABLE d (\"a.b\" INTEGER NOT NULL, x INTEGER, PRIMARY KEY (\"a.b\"))");
        assertThat(columns("d", "a.b")).containsExactly("d|a.b");
        assertThat(strings(metaData.getPrimaryKeys(null, null, "d"), "COLUMN_NAME"))
                .containsExactly("a.b");
    }

    @Test
    void quoted_names_keep_their_case_and_compare_without() throws SQLException {
        assertThat(metaData.storesMixedCaseIdentifiers()).isTrue();
        assertThat(metaData.storesMixedCaseQuotedIdentifiers()).isTrue();
        assertThat(metaData.supportsMixedCaseIdentifiers()).isFalse();
        assertThat(metaData.supportsMixedCaseQuotedIdentifiers()).isFalse();
    }

    private String escaped(String name) throws SQLException {
        String escape = metaData.getSearchStringEscape();
        return name.replace(escape, escape + escape)
                .replace("_", escape + "_")
                .replace("%", escape + "%");
    }

    private List<String> tables(@Nullable String pattern) throws SQLException {
        return strings(metaData.getTables(null, null, pattern, null), "TABLE_NAME");
    }

    private List<String> columns(String tablePattern, @Nullable String columnPattern)
            throws SQLException {
        return strings(
                metaData.getColumns(null, null, tablePattern, columnPattern),
                "TABLE_NAME",
                "COLUMN_NAME");
    }

    private static List<String> strings(ResultSet result, String... labels) throws SQLException {
        List<String> strings = new ArrayList<>();
        try (result) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (String label : labels) {
                    row.add(result.getString(label));
                }
                strings.add(String.join("|", row));
            }
        }
        return strings;
    }

    private void change(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
