package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A wrong command gets one sentence on standard error and exit code 2, never a stack trace. */
final class UsageErrorTest {
    @TempDir private Path folder;

    static Stream<Arguments> wrongCommands() {
        return Stream.of(
                Arguments.of("laod x", "there is no command 'laod'. Did you mean load?"),
                Arguments.of("scan t --limt 3", "there is no option --limt. Did you mean --limit?"),
                Arguments.of("count", "'T'"),
                Arguments.of("aggregate t", "--select"),
                Arguments.of("count a b", "the word 'b' is one too many"),
                Arguments.of("load", "FILES"),
                Arguments.of("load --limt", "there is no option --limt."),
                Arguments.of("load x.csv --table t --resume", "--resume needs a --label"),
                Arguments.of("loads", "'T'"),
                Arguments.of("load x.csv", "--table"),
                Arguments.of("load x.csv --table t --offload most", "offload"),
                Arguments.of("load x.csv --table t --on-duplicate maybe", "--on-duplicate 'maybe'"),
                Arguments.of("load x.csv --table t --max-rejects many", "many"),
                Arguments.of("load x.csv --table t --chunk-size big", "--chunk-size 'big'"),
                Arguments.of("load x.csv --table t --regions -3", "--regions"),
                Arguments.of("load x.csv --table t --threads two", "--threads"),
                Arguments.of("load x.csv --table t --delimiter ab", "--delimiter 'ab'"),
                Arguments.of("load x.csv --table t --ddl nowhere.sql", "no file nowhere.sql"),
                Arguments.of("load x.csv --table t --rejects -", "--rejects - is no file; name"),
                Arguments.of("load x.csv --ddl -", "--ddl - is no file"),
                Arguments.of("table create --ddl -", "--ddl - is no file"),
                Arguments.of("scan t --format xml", "--format xml"),
                Arguments.of("count t --store nowhere", "no store in nowhere"),
                Arguments.of("count t --store a --connect b:1", "exclude each other"),
                Arguments.of("generate nope", "no table nope"),
                Arguments.of("generate --scale 0", "--scale"),
                Arguments.of("generate lineitem --table orders", "twice"),
                Arguments.of("generate lineitem --rows 5", "for the table wide"),
                Arguments.of("generate wide --delimiter x --ddl", "--delimiter"),
                Arguments.of("table", "create, list, describe or drop"),
                Arguments.of("table create", "--ddl"),
                Arguments.of("serve --staging-memory much", "--staging-memory 'much'"),
                Arguments.of("serve --listen here", "HOST:PORT"),
                Arguments.of("serve --unfinished-load-days=-1", "--unfinished-load-days -1 is"),
                Arguments.of("ping here", "HOST:PORT, 127.0.0.1:7070 for example"),
                Arguments.of("serve --listen 0.0.0.0:0", "--insecure"),
                Arguments.of("serve --access nowhere", "an access file needs TLS"),
                Arguments.of("serve --tls-cert a", "give both or none"),
                Arguments.of("serve --tls-cert a --tls-key b", "the CA"),
                Arguments.of("serve --tls-ca a", "needs a certificate and its key"),
                Arguments.of("count t --tls-ca a", "name them with --connect"),
                Arguments.of("count t --connect [::1]:1 --token-file a", "over TLS only"),
                Arguments.of("count t --connect [::1]:1 --tls-ca a --insecure", "exclude"),
                Arguments.of("count t --connect [::1]:1 --tls-ca nowhere", "file nowhere"),
                Arguments.of("count t --connect 192.0.2.1:1", "is not on this machine"),
                Arguments.of("certificates", "ca|server|client|token"),
                Arguments.of("certificates server db1 --dir nowhere", "no CA in nowhere"),
                Arguments.of("certificates client", "NAME"),
                Arguments.of("certificates client ../x", "NAME"),
                Arguments.of("certificates ca --days 36501", "--days is from 1 to 36500, not 36"),
                Arguments.of("certificates client x --days 0", "--days is from 1 to 36500, not 0"),
                Arguments.of("certificates token x --dir nowhere", "no folder nowhere"),
                Arguments.of("count t --store=", "'--store': it is empty"),
                Arguments.of("load x.csv --table t --store=", "'--store': it is empty"),
                Arguments.of("load x.csv --table t --ddl=", "'--ddl': it is empty"),
                Arguments.of("load x.csv --table t --label=", "--label is empty"),
                Arguments.of("loads t --abort=", "--abort is empty"),
                Arguments.of("certificates ca --dir=", "'--dir': it is empty"),
                Arguments.of("generate --threads -1 --ddl", "--threads -1 is not in 1..1024"),
                Arguments.of("certificates client x --host y", "for a server's certificate"));
    }

    @ParameterizedTest
    @MethodSource("wrongCommands")
    void it_is_answered_with_one_sentence_and_exit_code_2(String command, String part) {
        Ran ran = Ran.cli(command.split(" "));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("penstock: ").contains(part).doesNotContain("\tat ");
        assertThat(ran.err().lines()).hasSize(1);
    }

    /** As of a variable that is not set: it would be the folder in which the command runs. */
    @Test
    void an_empty_name_of_an_input_is_none() {
        Ran ran = Ran.cli("load", "", "--table", "t", "--store", folder.resolve("s").toString());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("The name of an input is empty.");
    }

    @Test
    void a_file_that_cannot_be_looked_for_is_not_said_to_be_absent() throws IOException {
        Path ddl = Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a INT)");
        Ran ran = Ran.cli("plan", "x".repeat(300), "--ddl", ddl.toString());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("cannot be read: ").doesNotContain("no file");
    }

    @ParameterizedTest
    @CsvSource({
        "nowhere/*.csv, There is no folder nowhere for the files of nowhere/*.csv.",
        "no*where/x.csv, 'has a pattern of folders in it, and only names of files can be one'"
    })
    void a_pattern_in_a_folder_that_is_not_there_is_wrong_usage(String word, String said)
            throws IOException {
        Path ddl = Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a INT)");
        Ran ran = Ran.cli("plan", word, "--ddl", ddl.toString());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(said);
    }

    @Test
    void memory_for_no_chunk_at_all_is_too_little() throws IOException {
        Path ddl = Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a INT)");
        Path file = Files.writeString(folder.resolve("t.csv"), "1\n");
        String[] plan = {
            "plan", file.toString(), "--ddl", ddl.toString(), "--threads", "2", "--memory", "1M"
        };
        Ran ran = Ran.cli(plan);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("about 3670016 bytes, more than --memory 1048576, and no");
        plan[plan.length - 1] = "3670016";
        assertThat(Ran.cli(plan).out()).contains("chunks for 3670016 bytes of memory");
    }

    /** Java says no more than the name of a file of which there is one already. */
    @Test
    void why_a_folder_cannot_be_made_is_said_in_words() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Ran ran = Ran.cli("certificates", "ca", "--dir", file.toString());
        assertThat(ran.err()).endsWith(file + ": there is a file of that name.\n");
        Path ddl = Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a INT)");
        Ran created =
                Ran.cli("table", "create", "--ddl", ddl.toString(), "--store", file.toString());
        assertThat(created.err()).endsWith(file + ": there is a file of that name.\n");
    }

    @Test
    void the_memory_of_servers_is_not_the_loaders_affair() throws IOException {
        Path ddl = Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a INT)");
        String load = "load x.csv --table t --connect a:1 --staging-memory 1G --ddl " + ddl;
        Ran ran = Ran.cli(load.split(" "));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("give it to the servers");
    }

    @Test
    void a_plan_without_servers_takes_no_options_for_them() throws IOException {
        Path ddl = Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a INT)");
        Ran ran = Ran.cli("plan", "x.csv", "--ddl", ddl.toString(), "--tls-ca", "ca.pem");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("name them with --connect");
    }

    @Test
    void a_word_that_begins_with_an_at_sign_is_no_file_of_words() throws IOException {
        Path words = Files.writeString(folder.resolve("words"), "--help");
        assertThat(Ran.cli("@" + words).err()).contains("no command '@" + words + "'");
        Ran ran = Ran.cli("count", "@" + words, "--store", folder.resolve("none").toString());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("no store in");
    }

    @Test
    void a_file_whose_name_begins_like_an_option_is_told_how_to_be_written() throws IOException {
        Path file = Files.writeString(Path.of("-dash-of-a-test.csv"), "1\n");
        try {
            for (String load : new String[] {"load " + file, "load x.csv " + file + " --table t"}) {
                Ran ran = Ran.cli(load.split(" "));
                assertThat(ran.code()).isEqualTo(2);
                assertThat(ran.err())
                        .startsWith(
                                "penstock: there is no option -dash-of-a-test.csv; a file of that"
                                        + " name is ./-dash-of-a-test.csv. See 'penstock load");
            }
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void a_stack_trace_comes_only_when_asked_for() {
        assertThat(Ran.cli("generate", "nope", "--verbose").err()).contains("\tat ");
    }

    @Test
    void with_json_the_failure_is_an_object_too() throws IOException {
        Ran ran = Ran.cli("count", "t", "--store", folder.resolve("none").toString(), "--json");
        JsonNode json = new ObjectMapper().readTree(ran.out());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(json.get("exit_code").asInt()).isEqualTo(2);
        assertThat(json.get("category").asText()).isEqualTo("usage");
        assertThat(json.get("error").asText()).contains("no store");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "--dry-run /dev/stdout"})
    void rejected_records_are_not_mixed_into_json(String rejects) throws IOException {
        Path csv = Files.writeString(folder.resolve("t.csv"), "x\n");
        Path ddl = Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a INT)");
        String file = rejects.substring(rejects.indexOf('/'));
        String words = "load " + csv + " --ddl " + ddl + " --store " + folder + "/store --json ";
        Ran ran = Ran.cli((words + rejects.replace(file, "--rejects " + file)).split(" "));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(new ObjectMapper().readTree(ran.out()).get("error").asText())
                .isEqualTo("--json and --rejects " + file + " would mix two kinds of output.");
        assertThat(folder.resolve("store")).doesNotExist();
    }

    @Test
    void a_statement_in_place_of_its_file_is_told_in_one_line() {
        for (String statement :
                new String[] {"CREATE TABLE t (a INT)", "\ncreate\ttable t (\na INT)"}) {
            Ran ran = Ran.cli("table", "create", "--ddl", statement, "--store", folder + "/store");
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err())
                    .contains("--ddl names a file")
                    .hasSize(ran.err().indexOf('\n') + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a[", "*[]", "*\\", "*{a,{b}}"})
    void a_pattern_that_is_none_is_said_to_be_none(String word) throws IOException {
        Path ddl = Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a INT)");
        Ran ran = Ran.cli("plan", folder.resolve(word).toString(), "--ddl", ddl.toString());
        assertThat(ran.code()).as(ran.err()).isEqualTo(2);
        assertThat(ran.err())
                .contains("There is no file " + folder.resolve(word) + ", and it cannot be a");
    }

    @Test
    void a_declaration_that_is_not_understood_is_named() throws IOException {
        Path ddl = folder.resolve("t.sql");
        Files.writeString(ddl, "CREATE TABLE t (a GEOMETRY)");
        Ran ran = Ran.cli("table", "create", "--ddl", ddl.toString(), "--store", folder + "/store");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(ddl.toString()).contains("GEOMETRY");
        assertThat(folder.resolve("store")).doesNotExist();
    }
}
