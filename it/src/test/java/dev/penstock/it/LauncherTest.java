package dev.penstock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.cli.Cli;
import dev.penstock.cli.Console;
import dev.penstock.kernel.KernelSelection;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The launcher as it is installed: a copy of it beside what the build has made. */
@Timeout(120)
final class LauncherTest {
    @TempDir private Path folder;

    @BeforeEach
    void install() throws IOException {
        assumeTrue(Installation.isPossible(), "the command has not been built");
        Installation.make(folder);
    }

    /** A table in t.sql and its only row in t.csv. */
    private void writeOneRow() throws IOException {
        Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (k INT, PRIMARY KEY (k))");
        Files.writeString(folder.resolve("t.csv"), "1\n");
    }

    private Ran version(String heap, String start) throws IOException, InterruptedException {
        return run(
                Map.of("PENSTOCK_HEAP", heap, "PENSTOCK_START", start),
                "sh",
                folder.resolve("penstock").toString(),
                "--version");
    }

    private Ran run(Map<String, String> more, String... words)
            throws IOException, InterruptedException {
        return Ran.of(folder, more, words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "C.UTF-8", "xx_XX.UTF-8"})
    void words_are_read_in_any_locale(String locale) throws Exception {
        // The word comes from a file: what this JVM hands on depends on its own locale.
        Files.writeString(folder.resolve("word"), "\u00e9\u4e2d");
        Ran ran = run(Map.of("LC_ALL", locale), "sh", "-c", "exec sh penstock \"$(cat word)\"");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("there is no command '\u00e9\u4e2d'");
    }

    @Test
    void a_closed_standard_input_is_not_taken_for_the_first_file_that_is_opened() throws Exception {
        Ran load = run(Map.of(), "sh", "-c", "exec sh penstock load - --table t <&-");
        assertThat(load.exitCode()).isEqualTo(2);
        assertThat(load.err())
                .isEqualTo(
                        "penstock: standard input is closed, so there is nothing to load from"
                                + " it.\n");
        Ran other = run(Map.of(), "sh", "-c", "exec sh penstock --version <&-");
        assertThat(other.exitCode()).as(other.err()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "32m, short",
        "32m, long",
        "100M, long",
        "131072k, short",
        "256m, long",
        "1g, short"
    })
    void java_starts_with_small_heaps_too(String heap, String start) throws Exception {
        Ran ran = version(heap, start);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).startsWith("penstock ");
    }

    @ParameterizedTest
    @CsvSource({
        "serve, true",
        "scan t, false",
        "scan t --store s, true",
        "scan t --store s --limit 5, false",
        "scan t --limit=5 --store s, false",
        "scan t --store s --connect h:1, false",
        "verify t --store s, true",
        "verify t --store=s, true",
        "aggregate t --store none, false",
        "aggregate t, false",
        "verify t --store s --connect h:1, false",
        "aggregate t --connect=h:1 --store s, false",
        "load t.csv --store s, false",
        "load t.csv two*lines* --store s, false",
        "load t.csv big.csv --store s, true",
        "load half.csv --store s, false",
        "load half.csv t.csv half.csv --store s, true",
        "load half.csv.gz --store s, true",
        "load d --store s, true",
        "load \"d/h*\" --store s, false",
        "load \"d/*[h4]*.csv\" --store s, true",
        "load - --store s, true",
        "load t.csv --rejects /dev/stdout, false",
        "load t.csv --rejects /proc/self/fd/1, false",
        "count t --store s, false"
    })
    void vector_kernels_start_where_there_is_much_to_do(String words, boolean vectors)
            throws Exception {
        Path script = folder.resolve("penstock");
        String text = Files.readString(script);
        assertThat(text).containsOnlyOnce("long_store_kib=1500000\n");
        Files.writeString(script, text.replace("long_store_kib=1500000\n", "long_store_kib=100\n"));
        Files.write(Files.createDirectory(folder.resolve("s")).resolve("data"), new byte[200_000]);
        Files.writeString(folder.resolve("t.csv"), "1\n");
        Files.writeString(folder.resolve("two\nlines 5.csv"), "1\n");
        sparse("big.csv", 4_000_000_000L);
        sparse("half.csv", 2_100_000_000L);
        sparse("half.csv.gz", 2_100_000_000L);
        Files.createDirectory(folder.resolve("d"));
        sparse("d/half 4.csv", 2_100_000_000L);
        sparse("d/4 halves.csv", 2_100_000_000L);
        Ran ran =
                run(
                        Map.of("PENSTOCK_JAVA_OPTS", "-XshowSettings:properties -version"),
                        "sh",
                        "-c",
                        "exec sh penstock " + words);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("penstock.vectors = " + vectors + "\n");
    }

    private void sparse(String name, long bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
            file.setLength(bytes);
        }
    }

    /** Tests run beside the vector module from the start, so they know what this machine has. */
    @ParameterizedTest
    @ValueSource(strings = {"long", "short"})
    void the_vector_module_is_brought_in_while_java_runs(String start) throws Exception {
        writeOneRow();
        Ran ran =
                run(
                        Map.of("PENSTOCK_START", start),
                        "sh",
                        "-c",
                        "exec sh penstock load t.csv --table t --ddl t.sql --no-header --json");
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.err()).doesNotContain("WARNING");
        String form = start.equals("long") ? KernelSelection.chosen() : "scalar";
        assertThat(ran.out()).containsPattern("\"kernel\":\\s*\"" + form + "\"");
    }

    /** What the cache does not fit is otherwise left out without a word. */
    @ParameterizedTest
    @CsvSource({"long, --version", "short, --version", "long, ping --help", "short, demo --help"})
    void java_starts_from_a_cache_of_the_build(String start, String words) throws Exception {
        Ran ran =
                run(
                        Map.of(
                                "PENSTOCK_START",
                                start,
                                "PENSTOCK_JAVA_OPTS",
                                "-Xlog:class+load:file=classes.txt"),
                        "sh",
                        "-c",
                        "exec sh penstock " + words);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("classes.txt")))
                .anyMatch(line ->
                        line.contains("dev.penstock.cli.Main ")
                                && line.contains("shared objects file"));
    }

    /** A file is read ahead; a pipe gives the statement once. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--ddl t.sql",
                "--ddl /dev/stdin <<E\nCREATE TABLE t (k INT, PRIMARY KEY (k))\nE",
                "--ddl pipe & cat t.sql > pipe; wait $!"
            })
    void a_table_is_declared_by_what_can_be_read(String declaration) throws Exception {
        writeOneRow();
        String load = "sh penstock load t.csv --table t --no-header --quiet " + declaration;
        Ran ran = run(Map.of(), "sh", "-c", "mkfifo pipe; " + load);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo("1\n");
    }

    /** The build has made tables of them, which the tests within a JVM do without. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "completion",
                "demo --help",
                "generate --help",
                "plan --help",
                "load --help",
                "rejects --help",
                "rejects show --help",
                "rejects replay --help",
                "loads --help",
                "serve --help",
                "certificates --help",
                "table --help",
                "table create --help",
                "table list --help",
                "table describe --help",
                "table drop --help",
                "count --help",
                "aggregate --help",
                "get --help",
                "scan --help",
                "status --help",
                "ping --help",
                "verify --help"
            })
    void options_are_those_of_the_sources(String words) throws Exception {
        Ran ran = run(Map.of(), "sh", "-c", "exec sh penstock " + words);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream err = new PrintStream(out, true, StandardCharsets.UTF_8);
        Console console = new Console(out, err, InputStream.nullInputStream(), false);
        assertThat(Cli.run(console, words.split(" "))).isZero();
        assertThat(ran.out()).isEqualTo(out.toString(StandardCharsets.UTF_8));
    }

    /**
     * Hundredths of a second otherwise, for a logger, native code, an exit that is logged, and
     * annotations.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "load t.csv --table t --ddl t.sql --no-header",
                "table create --ddl t.sql --store s",
                "--help",
                "--version"
            })
    void no_jar_is_opened_and_no_annotation_read_that_the_build_knows(String words)
            throws Exception {
        writeOneRow();
        Ran ran =
                run(
                        Map.of("PENSTOCK_JAVA_OPTS", "-Xlog:class+init=info:file=classes.txt"),
                        "sh",
                        "-c",
                        "exec sh penstock " + words);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(Files.readString(folder.resolve("classes.txt")))
                .contains("'dev/penstock/cli/Main'")
                .doesNotContain("'java/util/zip/ZipFile$Source'", "$Proxy");
    }

    /** Nor any class for access to their fields by reflection. */
    @Test
    void fields_of_options_are_reached_without_classes_made_at_run_time() throws Exception {
        Map<String, String> log =
                Map.of("PENSTOCK_JAVA_OPTS", "-Xlog:class+load=info:file=classes.txt");
        Ran ran = run(log, "sh", "-c", "exec sh penstock load --help");
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(Files.readString(folder.resolve("classes.txt")))
                .contains("dev.penstock.cli.LoadCommand ")
                .doesNotContain("source: __JVM_LookupDefineClass__");
    }

    @Test
    void what_is_no_start_is_said_in_a_sentence() throws Exception {
        Ran ran = version("1g", "fast");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .isEqualTo("penstock: PENSTOCK_START is 'fast'; it takes long or short.\n");
    }

    /** As in a folder that only others may write to, but for who runs the tests may be root. */
    @Test
    void where_nothing_can_be_built_a_sentence_says_so() throws Exception {
        Files.delete(folder.resolve("lib"));
        Files.writeString(folder.resolve(".penstock-build"), "in the way of a folder");
        String path = "PATH=bin:$PATH exec sh penstock --version";
        Files.createSymbolicLink(
                Files.createDirectory(folder.resolve("bin")).resolve("mvn"), Path.of("/bin/false"));
        Ran ran = run(Map.of(), "sh", "-c", path);
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("penstock: it has to be built first, or anew, and cannot be: mkdir: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"31m", "abc", "m", "0512m", "1.5g", "-1g", "17592186044480m"})
    void what_is_no_heap_is_said_in_a_sentence(String heap) throws Exception {
        Ran ran = version(heap, "short");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .isEqualTo(
                        "penstock: PENSTOCK_HEAP is '"
                                + heap
                                + "'; it takes a size of at least 32m, such as 512m or 4g.\n");
    }

    @Test
    void memory_that_is_used_up_is_said_with_what_helps() throws Exception {
        Files.writeString(
                folder.resolve("long.sql"),
                "CREATE TABLE long (id BIGINT NOT NULL, text VARCHAR, PRIMARY KEY (id))");
        try (BufferedWriter out = Files.newBufferedWriter(folder.resolve("long.csv"))) {
            String text = "a word after another ".repeat(50_000);
            for (int row = 0; row < 40; row++) {
                out.write(row + "," + text + "\n");
            }
        }
        String load =
                "exec sh penstock load long.csv --table long --ddl long.sql --no-header --store s";
        Ran refused = run(Map.of("PENSTOCK_HEAP", "64m"), "sh", "-c", load);
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(1);
        assertThat(refused.err()).contains("Memory is used up").contains("PENSTOCK_HEAP");
        assertThat(refused.err().lines()).as(refused.err()).hasSize(1);
        Ran loaded = run(Map.of("PENSTOCK_HEAP", "512m"), "sh", "-c", load);
        assertThat(loaded.exitCode()).as(loaded.err()).isZero();
    }
}
