package dev.penstock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.kv.server.RegionServerProcess;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Common commands find all their classes in the build's cache. One that is missing has Java open
 * its jar, and check it, before most commands would be over.
 *
 * <p>Not so {@code scan}, whose vector kernels come from no cache.
 */
@Timeout(120)
final class CachedClassesTest {
    /** What Java opens first of a jar; it opens all for a resource that may be in any. */
    private static final String OPENED = "Initializing 'java/util/zip/ZipFile$Source'";

    /** What Java makes at run time for annotations that are read. */
    private static final String PROXY = "source: __dynamic_proxy__";

    private static final String LOG = "classes.txt";

    @TempDir private Path folder;

    @BeforeEach
    void install() throws IOException {
        assumeTrue(Installation.isPossible(), "the command has not been built");
        Installation.make(folder);
        Files.writeString(
                folder.resolve("t.sql"),
                "CREATE TABLE t (k INT NOT NULL, v VARCHAR(9), PRIMARY KEY (k))");
        Files.writeString(folder.resolve("t.csv"), "1,a\n2,b\nthree,c\n");
    }

    /**
     * Runs a command, which must end with a code, and answers the classes that it took from jars,
     * and whether it opened any.
     */
    private List<String> fromJars(int exitCode, String... words) throws Exception {
        Path log = folder.resolve(LOG);
        List<String> command = new ArrayList<>(List.of("sh", "penstock"));
        command.addAll(List.of(words));
        Ran ran =
                Ran.of(
                        folder,
                        Map.of(
                                "PENSTOCK_JAVA_OPTS",
                                "-Xlog:class+load,class+init=info:file=" + log),
                        command.toArray(String[]::new));
        assertThat(ran.exitCode()).as(ran.err()).isEqualTo(exitCode);
        try (Stream<String> lines = Files.lines(log)) {
            List<String> loaded = lines.toList();
            assertThat(loaded).anyMatch(line -> line.contains("source: shared objects file"));
            return loaded.stream()
                    .filter(line -> line.contains("source: file:") || line.contains(OPENED))
                    .toList();
        }
    }

    private List<String> load(int exitCode, String... more) throws Exception {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("load", "t.csv", "--table", "t", "--ddl", "t.sql"));
        words.addAll(List.of(more));
        return fromJars(exitCode, words.toArray(String[]::new));
    }

    @Test
    void of_an_embedded_store() throws Exception {
        String store = "--store=s";
        assertThat(fromJars(0, "--version")).isEmpty();
        assertThat(fromJars(0, "--help")).isEmpty();
        assertThat(load(3, store, "--delimiter", ",", "--max-rejects", "1", "--rejects", "r.csv"))
                .isEmpty();
        assertThat(load(3, store, "--label", "x", "--max-rejects", "1", "--on-duplicate=replace"))
                .isEmpty();
        assertThat(fromJars(0, "count", "t", store)).isEmpty();
        assertThat(fromJars(0, "get", "t", "1", store)).isEmpty();
        assertThat(fromJars(0, "aggregate", "t", "--select", "max(v)", store)).isEmpty();
        assertThat(fromJars(0, "verify", "t", store)).isEmpty();
        assertThat(fromJars(0, "status", store)).isEmpty();
    }

    /** Some chunks of text that is cut by guesses. */
    private void writeQuotedText() throws IOException {
        StringBuilder rows = new StringBuilder();
        IntStream.range(0, 20_000).forEach(i -> rows.append(i).append(",\"v,\"\n"));
        Files.writeString(folder.resolve("t.csv"), rows);
    }

    @Test
    void of_a_server() throws Exception {
        Path data = folder.resolve("data");
        try (RegionServerProcess server = RegionServerProcess.start(data, "127.0.0.1:0", null)) {
            server.joined().join();
            String connect = "--connect=" + server.address();
            assertThat(load(3, connect, "--max-rejects", "1")).isEmpty();
            assertThat(fromJars(0, "count", "t", connect)).isEmpty();
            assertThat(Files.readAllLines(folder.resolve(LOG)))
                    .noneMatch(line -> line.contains(PROXY));
            assertThat(fromJars(0, "get", "t", "1", connect)).isEmpty();
            assertThat(fromJars(0, "status", connect)).isEmpty();
            assertThat(fromJars(0, "table", "drop", "t", connect)).isEmpty();
            writeQuotedText();
            assertThat(load(0, connect, "--no-header", "--chunk-size", "64KiB")).isEmpty();
        }
    }

    /**
     * Two workers, which take the options of logs that begin like this, and the process that starts
     * them. That opens jars nevertheless, as Java looks for somebody who logs starts of processes.
     */
    @Test
    void of_worker_processes() throws Exception {
        StringBuilder rows = new StringBuilder();
        IntStream.range(0, 20_000).forEach(i -> rows.append(i).append(",v").append('\n'));
        Files.writeString(folder.resolve("t.csv"), rows);
        Path logs = Files.createDirectory(folder.resolve("logs"));
        String load = "load t.csv --table t --ddl t.sql --no-header --workers 2 --chunk-size 64KiB";
        List<String> command = new ArrayList<>(List.of("sh", "penstock"));
        command.addAll(List.of(load.split(" ")));
        Ran ran =
                Ran.of(
                        folder,
                        Map.of(
                                "PENSTOCK_JAVA_OPTS",
                                "-Xlog:aot,class+load:file=" + logs + "/%p.txt"),
                        command.toArray(String[]::new));
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        try (Stream<Path> all = Files.list(logs)) {
            List<Path> each = all.toList();
            assertThat(each).hasSize(3);
            for (Path log : each) {
                assertThat(Files.readAllLines(log))
                        .anyMatch(line -> line.contains("source: shared objects file"))
                        .noneMatch(line -> line.contains("source: file:"));
            }
        }
    }

    /**
     * A server that has just started takes a load without vector kernels that sum: these take it a
     * second to compile, and queries need them.
     */
    @Test
    void of_vector_kernels_for_queries_a_load_needs_none() throws Exception {
        StringBuilder rows = new StringBuilder();
        IntStream.range(0, 500).forEach(i -> rows.append(i).append(",v").append(i).append('\n'));
        Files.writeString(folder.resolve("t.csv"), rows);
        Path log = folder.resolve("server.txt");
        ProcessBuilder builder =
                new ProcessBuilder("sh", "penstock", "serve", "--data=d", "--listen=127.0.0.1:0")
                        .directory(folder.toFile())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("JAVA25_HOME", System.getProperty("java.home"));
        builder.environment().put("PENSTOCK_JAVA_OPTS", "-Xlog:class+load:file=" + log);
        Process server = builder.start();
        try (BufferedReader said = server.errorReader()) {
            load(0, "--connect=" + address(said));
        } finally {
            server.destroy();
            server.waitFor();
        }
        assertThat(Files.readString(log))
                .contains("dev.penstock.step.Merge ", "dev.penstock.kernel.PackedValues ")
                .doesNotContainPattern("Vector\\d*PackedValues");
    }

    private static String address(BufferedReader said) throws IOException {
        Pattern listening = Pattern.compile("listening.*(127\\.0\\.0\\.1:\\d+)");
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            Matcher found = listening.matcher(line);
            if (found.find()) {
                return found.group(1);
            }
        }
        throw new IOException("the server ended without listening");
    }
}
