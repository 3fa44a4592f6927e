package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;

/** Keys in {@code --from} and {@code --to} may be any keys. */
final class KeyRangeTest {
    private static final String ROWS = "\"a,b\",1\n\"a\"\"b\",2\na,3\n,4\n";

    @TempDir private Path path;
    private CsvFolder folder = new CsvFolder(Path.of(""));

    @BeforeEach
    void chooseFolder() {
        folder = new CsvFolder(path);
    }

    private void load(String key) throws IOException {
        folder.write(
                "t.sql",
                "CREATE TABLE t (s VARCHAR NOT NULL, n INT NOT NULL, PRIMARY KEY (" + key + "))");
        Ran load = folder.load(folder.write("t.csv", ROWS), "--null", "NULL");
        assertThat(load.code()).as(load.err()).isZero();
    }

    private String scan(String option, String key) {
        Ran scan = folder.run("scan", "t", "--columns", "n", option, key);
        assertThat(scan.code()).as(scan.err()).isZero();
        return String.join(" ", scan.out().lines().skip(1).toList());
    }

    /** In order of s: the empty one, a, a"b, a,b. */
    @Test
    void a_key_of_one_column_is_its_value_as_it_stands() throws IOException {
        load("s");
        assertThat(scan("--from", "a,b")).isEqualTo("1");
        assertThat(scan("--to", "a,b")).isEqualTo("4 3 2");
        assertThat(scan("--from", "a\"b")).isEqualTo("2 1");
        assertThat(scan("--from", "")).isEqualTo("4 3 2 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "\"a,b\",1 | 1",
                "\"a,b\",2 | ^^",
                "\"a,b\" | 1",
                "\"a\"\"b\",2 | 2 1",
                "a\"b,2 | 2 1",
                "a,3 | 3 2 1",
                "\"a\",4 | 2 1",
                ",5 | 3 2 1",
                "\"\",\"4\" | 4 3 2 1"
            })
    void values_of_several_columns_may_stand_in_quotes(String key, String rows) throws IOException {
        load("s, n");
        assertThat(scan("--from", key)).isEqualTo(rows);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a,1", "\"a\"b,1", "a,\"1", "\""})
    void a_quote_that_is_not_closed_is_refused(String key) throws IOException {
        load("s, n");
        Ran scan = folder.run("scan", "t", "--from", key);
        assertThat(scan.code()).isEqualTo(2);
        assertThat(scan.err()).contains("--from " + key + " has a double quote that is not closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,", "a,1,", "a,1,2"})
    void a_value_too_many_or_none_is_refused(String key) throws IOException {
        load("s, n");
        assertThat(folder.run("scan", "t", "--from", key).code()).isEqualTo(2);
    }
}
