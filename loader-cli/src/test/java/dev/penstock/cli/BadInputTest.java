package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A record that does not fit ends the load with its place, or is kept aside when that is allowed.
 */
final class BadInputTest {
    private static final String DDL =
            "CREATE TABLE t (id INTEGER NOT NULL, name VARCHAR(5) NOT NULL, born DATE, price"
                    + " DECIMAL(5,2), PRIMARY KEY (id))";
    private static final String GOOD = "1,one,2024-02-29,1.50\n2,two,,2\n";

    @TempDir private Path folder;

    @BeforeEach
    void declare() throws IOException {
        write("t.sql", DDL);
    }

    /** The third line of a file, the column at fault, and words that the message must have. */
    static Stream<Arguments> badRecords() {
        return Stream.of(
                Arguments.of("3,three,2023-02-29,1", "born", "2023-02-29"),
                Arguments.of("3,three,yesterday,1", "born", "yesterday"),
                Arguments.of("3,three,,x1", "price", "x1"),
                Arguments.of("3,three,,1234.5", "price", "1234.5"),
                Arguments.of("3,three,,1.234", "price", "1.234"),
                Arguments.of("99999999999,three,,", "id", "99999999999"),
                Arguments.of("3,seventeen,,", "name", "seventeen"),
                Arguments.of("3,,,", "name", "NULL"),
                Arguments.of("3,three", "", "fields"),
                Arguments.of("3,three,,1,extra", "", "fields"),
                Arguments.of("3,\"thr\"ee,,1", "name", "quote"));
    }

    @ParameterizedTest
    @MethodSource("badRecords")
    void the_first_bad_record_ends_the_load_and_is_named(String record, String column, String word)
            throws IOException {
        Path file = write("bad.csv", GOOD + record + "\n4,four,,\n");
        Ran ran = load(file);
        assertThat(ran.code()).as(ran.err()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .contains(file.getFileName().toString())
                .contains("line 3")
                .contains(column)
                .contains(word)
                .doesNotContain("\tat ");
        assertNothingVisible();
    }

    @Test
    void an_unclosed_quote_is_named_where_it_opens() throws IOException {
        Ran ran = load(write("bad.csv", GOOD + "3,\"thr,,1\n4,four,,\n"));
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("line 3").contains("quote");
        assertNothingVisible();
    }

    @Test
    void bytes_that_are_not_utf_8_are_named() throws IOException {
        Path file = folder.resolve("bad.csv");
        Files.write(file, (GOOD + "3,\u00e9t\u00e9,,1\n").getBytes(StandardCharsets.ISO_8859_1));
        Ran ran = load(file);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("line 3").contains("name").contains("UTF-8");
        assertNothingVisible();
    }

    @Test
    void what_is_allowed_to_be_bad_is_kept_aside_and_the_rest_is_loaded() throws IOException {
        String bad = "3,three,2023-02-29,1\n5,five\n6,,,\n";
        Path file = write("mixed.csv", "1,one,2024-02-29,1.50\n" + bad + "2,two,,2\n");
        Path rejects = folder.resolve("rejects.csv");
        Ran ran = load(file, "--max-rejects", "3", "--rejects", rejects.toString(), "--json");
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        JsonNode report = new ObjectMapper().readTree(ran.out());
        assertThat(report.get("rows_loaded").asLong()).isEqualTo(2);
        assertThat(report.get("rows_rejected").asLong()).isEqualTo(3);
        assertThat(Files.readString(rejects)).isEqualTo(bad);
        assertThat(run("count", "t").out()).isEqualTo("2\n");
    }

    @Test
    void one_reject_more_than_allowed_ends_the_load() throws IOException {
        Path file = write("mixed.csv", GOOD + "3,three,x,1\n4,four,x,1\n");
        assertThat(load(file, "--max-rejects", "1").code()).isEqualTo(1);
        assertNothingVisible();
        assertThat(load(file, "--max-rejects", "50%").code()).isEqualTo(3);
        assertThat(run("count", "t").out()).isEqualTo("2\n");
    }

    @Test
    void a_missing_file_is_named() {
        Ran ran = load(folder.resolve("nowhere.csv"));
        assertThat(ran.code()).isIn(1, 2);
        assertThat(ran.err()).contains("nowhere.csv").doesNotContain("\tat ");
    }

    @Test
    void an_unknown_table_without_a_declaration_is_named() throws IOException {
        Path file = write("good.csv", GOOD);
        Ran ran = run("load", file.toString(), "--table", "nobody");
        assertThat(ran.code()).isIn(1, 2);
        assertThat(ran.err()).contains("nobody");
    }

    private void assertNothingVisible() {
        Ran count = run("count", "t");
        if (count.code() == 0) {
            assertThat(count.out()).isEqualTo("0\n");
        } else {
            assertThat(count.err()).contains("no table t");
        }
    }

    private Path write(String name, String text) throws IOException {
        return new CsvFolder(folder).write(name, text);
    }

    private Ran load(Path file, String... more) {
        return new CsvFolder(folder).load(file, more);
    }

    private Ran run(String... words) {
        return new CsvFolder(folder).run(words);
    }
}
