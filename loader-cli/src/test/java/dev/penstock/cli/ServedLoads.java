package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.kv.server.ServeOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Servers in this process, and loads of a table {@code t} into them, in small chunks. */
final class ServedLoads implements AutoCloseable {
    static final int ROWS = 20_000;

    private final Path folder;
    private final List<RegionServerProcess> servers = new ArrayList<>();

    /**
     * @param reading whether the servers read files
     */
    ServedLoads(Path folder, int serverCount, boolean reading) throws Exception {
        this.folder = folder;
        for (int i = 0; i < serverCount; i++) {
            ServeOptions options =
                    ServeOptions.of(folder.resolve("server" + i), "127.0.0.1:0")
                            .withJoin(
                                    servers.isEmpty()
                                            ? Optional.empty()
                                            : Optional.of(servers.getFirst().address()))
                            .withReadsFiles(reading);
            servers.add(RegionServerProcess.start(options));
            servers.getLast().joined().get(30, TimeUnit.SECONDS);
        }
        declare("id BIGINT PRIMARY KEY, word VARCHAR(40), price DECIMAL(9,2), day DATE");
    }

    @Override
    public void close() {
        servers.reversed().forEach(RegionServerProcess::close);
    }

    void declare(String columns) throws IOException {
        Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (" + columns + ")");
    }

    static List<String> lines() {
        SplittableRandom random = new SplittableRandom(5);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            lines.add(
                    i
                            + "|"
                            + "w".repeat(random.nextInt(40))
                            + "|"
                            + random.nextInt(1000)
                            + ".25|2024-01-"
                            + (10 + random.nextInt(20)));
        }
        return lines;
    }

    static long bytesBefore(List<String> lines, int line) {
        return lines.subList(0, line).stream().mapToLong(text -> text.length() + 1).sum();
    }

    Path write(List<String> lines) throws IOException {
        return Files.writeString(folder.resolve("in.tbl"), String.join("\n", lines) + "\n");
    }

    JsonNode loaded(Path file, String policy, int regions, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of("--json"));
        all.addAll(Arrays.asList(more));
        Ran ran = load(file, policy, regions, all.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        return new ObjectMapper().readTree(ran.out());
    }

    /** In chunks of 20,000 bytes. */
    Ran load(Path file, String policy, int regions, String... more) {
        List<String> all = new ArrayList<>(List.of("--chunk-size", "20000"));
        all.addAll(Arrays.asList(more));
        return loadInUsualChunks(file, policy, regions, all.toArray(String[]::new));
    }

    Ran loadInUsualChunks(Path file, String policy, int regions, String... more) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "load",
                                file.toString(),
                                "--table",
                                "t",
                                "--ddl",
                                folder.resolve("t.sql").toString(),
                                "--connect",
                                address(),
                                "--offload",
                                policy,
                                "--regions",
                                "" + regions));
        command.addAll(Arrays.asList(more));
        return Ran.cli(command.toArray(String[]::new));
    }

    /** Loads a file as text and by the loader: what is left out and what is stored is the same. */
    void assertSameRejects(Path file, int count) throws IOException {
        List<String> files = new ArrayList<>();
        for (String policy : List.of("text", "select")) {
            Path bad = folder.resolve(policy + ".bad");
            List<String> options =
                    List.of(
                            "--on-duplicate",
                            "reject",
                            "--max-rejects",
                            "" + count,
                            "--rejects",
                            "" + bad);
            Ran ran = load(file, policy, 3, options.toArray(String[]::new));
            assertThat(ran.code()).as(ran.err()).isEqualTo(3);
            files.add(Files.readString(bad));
            files.add(scan());
            drop();
        }
        assertThat(files.subList(0, 2)).isEqualTo(files.subList(2, 4));
        assertThat(files.getFirst().lines()).hasSize(count);
    }

    String scan() {
        Ran ran = Ran.cli("scan", "t", "--connect", address());
        assertThat(ran.code()).as(ran.err()).isZero();
        return ran.out();
    }

    JsonNode verified() throws IOException {
        Ran ran = Ran.cli("verify", "t", "--connect", address(), "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        return new ObjectMapper().readTree(ran.out()).get("columns");
    }

    void drop() {
        assertThat(Ran.cli("table", "drop", "t", "--connect", address()).code()).isZero();
    }

    String address() {
        return servers.getFirst().address();
    }
}
