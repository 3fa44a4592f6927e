package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** What people read of one row in one region and so on calls it one row, not {@code 1 rows}. */
final class OneOfEachTest {
    /** A one that is no digit of another number, before a word that ends as many things do. */
    private static final Pattern ONE_OF_MANY =
            Pattern.compile("(?<![\\w.,:/-])1 (?!(is|was|has|s)\\b)[a-z]+( process)?e?s\\b");

    @TempDir private Path folder;

    @BeforeEach
    void declare() throws IOException {
        Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a VARCHAR(1))");
        Files.writeString(folder.resolve("u.sql"), "CREATE TABLE u (a BINARY(1))");
        Files.writeString(folder.resolve("a.csv"), "a\n");
    }

    @Test
    void a_load_and_what_can_be_asked_of_it() throws IOException {
        assertThat(ofOne("load", "t", "a.csv", "--workers", "1").code()).isZero();
        assertThat(ofOne("load", "t", "a.csv", "--label", "b").out()).contains("Loaded 1 row into");
        assertThat(ofOne("load", "t", "a.csv", "--label", "b").out()).contains(" before, 1 row, ");
        assertThat(ofOne("load", "t", "a.csv", "--dry-run").out()).contains("Would load 1 row ");
        Files.writeString(folder.resolve("b.csv"), "b\n");
        Ran other = ofOne("load", "t", "b.csv", "--label", "b");
        assertThat(other.err()).contains("(2 B, 1 row)");
    }

    @Test
    void a_table_of_one_row() {
        ofOne("load", "t", "a.csv");
        assertThat(ofOne("verify", "t").out()).contains("Verified 1 row of t").contains("row is");
        assertThat(ofOne("table describe", "t").out()).endsWith("1 row in 1 region\n");
        ofOne("status", "");
    }

    @Test
    void a_plan() {
        ofOne("load", "t", "a.csv");
        assertThat(ofOne("plan", "t", "a.csv").out()).contains("1 thread,").contains("1 server");
    }

    @Test
    void a_record_that_is_too_long() throws IOException {
        Files.writeString(folder.resolve("long.csv"), "ab\n");
        assertThat(ofOne("load", "t", "long.csv").err()).contains("at most 1 character, found 2");
        Files.writeString(folder.resolve("long.csv"), "0011\n");
        assertThat(ofOne("load", "u", "long.csv").err()).contains("at most 1 byte, found 2");
    }

    @Test
    void records_with_other_numbers_of_fields() throws IOException {
        Files.writeString(folder.resolve("wide.csv"), "a,b\nc,d,e\n");
        Ran ran = ofOne("load", "t", "wide.csv", "--delimiter", ",");
        assertThat(ran.err()).contains("the 1 field that").contains("2 in 1 record, 3 in 1 record");
    }

    @Test
    void a_generated_file() {
        String file = folder.resolve("wide.csv").toString();
        Ran ran = Ran.cli("generate", "wide", "--rows", "1", "--out", file);
        assertThat(ran.err()).contains(": 1 row, ");
        assertOne(ran);
    }

    /** Runs a command, with a file of the folder if it loads or plans. */
    private Ran ofOne(String command, String table, String... more) {
        List<String> args = new ArrayList<>(List.of(command.split(" ")));
        if (more.length > 0) {
            args.add(folder.resolve(more[0]).toString());
            args.addAll(List.of("--threads", "1", "--regions", "1", "--no-header"));
            args.addAll(List.of("--ddl", folder.resolve(table + ".sql").toString()));
            args.addAll(Arrays.asList(more).subList(1, more.length));
        } else if (!table.isEmpty()) {
            args.add(table);
        }
        args.addAll(List.of("--store", folder.resolve("store").toString()));
        Ran ran = Ran.cli(args.toArray(String[]::new));
        assertOne(ran);
        return ran;
    }

    private static void assertOne(Ran ran) {
        assertThat(ran.out() + ran.err()).doesNotContainPattern(ONE_OF_MANY);
    }
}
