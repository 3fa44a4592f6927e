package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.loader.LoadOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Which statements the driver runs itself, and what it reads in them. */
final class CommandParserTest {
    @Test
    void a_copy_names_table_columns_inputs_and_options() throws SQLException {
        assertThat(
                        CommandParser.parse(
                                """
                                -- nightly
                                copy penstock."Sales" (id, -, "Name") from 'a.csv', 'it''s/*.gz'
                                with (delimiter '|', header, quote none, null '', max_rejects 1%,
                                      label 'night', threads 2, trailing_delimiter false)
                                ;
                                """))
                .isEqualTo(
                        new Command.Copy(
                                "Sales",
                                List.of("id", "-", "Name"),
                                List.of("a.csv", "it's/*.gz"),
                                Map.of(
                                        LoadOption.DELIMITER, "|",
                                        LoadOption.HEADER, "true",
                                        LoadOption.QUOTE, "none",
                                        LoadOption.NULL, "",
                                        LoadOption.MAX_REJECTS, "1%",
                                        LoadOption.LABEL, "night",
                                        LoadOption.THREADS, "2",
                                        LoadOption.TRAILING_DELIMITER, "false")));
        assertThat(CommandParser.parse("COPY penstock.t FROM STDIN (delimiter E'\\t')"))
                .isEqualTo(
                        new Command.Copy(
                                "t", List.of(), List.of(), Map.of(LoadOption.DELIMITER, "\\t")));
    }

    @Test
    void tables_are_created_and_dropped() throws SQLException {
        assertThat(
                        CommandParser.parse(
                                "/* one */ CREATE TABLE IF NOT EXISTS t (a INT PRIMARY KEY);"))
                .isInstanceOfSatisfying(
                        Command.CreateTable.class,
                        create -> {
                            assertThat(create.ifNotExists()).isTrue();
                            assertThat(create.schema().name()).isEqualTo("t");
                        });
        assertThat(CommandParser.parse("drop table if exists \"t\""))
                .isEqualTo(new Command.DropTable("t", true));
        assertThat(CommandParser.parse("DROP TABLE t;"))
                .isEqualTo(new Command.DropTable("t", false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "penstock.people",
                "PENSTOCK.people",
                "\"penstock\".people",
                "\"Penstock\".\"people\"",
                "penstock.\"people\"",
                "penstock . people",
                "penstock. people",
                "penstock .people"
            })
    void a_table_may_be_named_with_the_one_schema(String name) throws SQLException {
        assertThat(CommandParser.parse("DROP TABLE " + name))
                .isEqualTo(new Command.DropTable("people", false));
        assertThat(CommandParser.parse("COPY " + name + " (a) FROM STDIN"))
                .isEqualTo(new Command.Copy("people", List.of("a"), List.of(), Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "archive.people",
                "\"archive\".people",
                "\"archive\".\"people\"",
                "archive.\"people\"",
                "archive . people",
                "archive. people",
                "archive .people",
                "archive.penstock.people",
                "archive.penstock.\"people\"",
                "\"archive\".penstock.people",
                "penstock..people",
                "\"pen\"\"stock\".people",
                ".people"
            })
    void a_table_of_another_schema_is_refused(String name) {
        for (String sql :
                List.of(
                        "DROP TABLE " + name,
                        "DROP TABLE IF EXISTS " + name,
                        "COPY " + name + " (a) FROM STDIN")) {
            assertThatThrownBy(() -> CommandParser.parse(sql))
                    .hasMessageContaining("there is no schema")
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getSQLState()).isEqualTo("3F000"));
        }
    }

    @Test
    void a_dot_in_quotes_is_part_of_a_name() throws SQLException {
        assertThat(CommandParser.parse("DROP TABLE \"archive.people\""))
                .isEqualTo(new Command.DropTable("archive.people", false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "",
                "-- COPY t FROM 'x'\nSELECT 1",
                "INSERT INTO copy VALUES (1)",
                "copyright"
            })
    void other_statements_are_left_to_the_planner(String sql) throws SQLException {
        assertThat(CommandParser.parse(sql)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "COPY; a table's name is expected at the end",
                "COPY t; FROM is expected at the end",
                "COPY t TO 'x'; FROM is expected where 'TO' stands",
                "COPY t FROM x; STDIN or a file's name in single quotes is expected where 'x'",
                "COPY t FROM 'x; a quote (') is never closed",
                "COPY t FROM 'x' WITH (COLOR 'red'); COLOR is no option of a load",
                "COPY t FROM 'x' WITH (LABEL); a value of LABEL is expected",
                "COPY t FROM 'x' (LABEL 'a', LABEL 'b'); the option LABEL is given twice",
                "COPY t FROM 'x' WITH (HEADER) twice; the end of the statement is expected",
                "CREATE VIEW v AS SELECT 1; TABLE is expected where 'VIEW' stands",
                "CREATE TABLE t (a JSON); JSON",
                "DROP TABLE penstock.; a table's name is expected at the end",
                "DROP TABLE t, u; the end of the statement is expected where ',' stands"
            })
    void what_is_wrong_is_said(String sql, String part) {
        assertThatThrownBy(() -> CommandParser.parse(sql))
                .hasMessageContaining(part)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42601"));
    }

    @Test
    void truncate_is_refused_with_what_to_do_instead() {
        assertThatThrownBy(() -> CommandParser.parse("TRUNCATE TABLE t"))
                .hasMessageContaining("DELETE FROM")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
    }
}
