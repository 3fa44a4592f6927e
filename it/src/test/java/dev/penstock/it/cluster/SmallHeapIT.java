package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A loader with a heap of 64 MiB and servers with 128 MiB each: what they can do they do, and what
 * they cannot they say in one sentence, without an {@code OutOfMemoryError}. Disks that are full,
 * and have room again.
 *
 * <p>{@code -Dpenstock.smallHeap.scale=1} for lineitem of another size than scale factor 0.01.
 */
@Timeout(900)
final class SmallHeapIT {
    private static final double SCALE =
            Double.parseDouble(System.getProperty("penstock.smallHeap.scale", "0.01"));
    private static final int SERVERS = 3;
    private static final int LIMIT_SECONDS = 600;
    private static final int WIDE_COLUMNS = 150;

    /** As many as many systems allow a process. */
    private static final int DESCRIPTORS = 1024;

    private static final int MANY_FILES = 3_000;

    @TempDir private Path folder;

    private final List<ServerJvm> servers = new ArrayList<>();
    private final List<Path> mounts = new ArrayList<>();

    private record Outcome(int exitCode, String err) {}

    @AfterEach
    void end() throws Exception {
        for (ServerJvm server : servers) {
            server.kill();
            assertThat(server.said()).doesNotContain("OutOfMemory");
        }
        for (Path mount : mounts) {
            new ProcessBuilder("umount", mount.toString()).start().waitFor();
        }
    }

    private void startServers() throws IOException {
        for (int server = 0; server < SERVERS; server++) {
            List<String> arguments =
                    new ArrayList<>(List.of("serve", "--data", "server-" + server, "--listen"));
            arguments.add("127.0.0.1:0");
            if (server > 0) {
                arguments.addAll(List.of("--join", servers.getFirst().address()));
            }
            servers.add(ServerJvm.startWithHeap(folder, "128m", arguments));
        }
    }

    /** A load with a heap of 64 MiB and few descriptors into the servers, or if none a folder. */
    private Outcome load(String file, String table, String... more) throws Exception {
        return loadWithHeap("64m", file, table, more);
    }

    private Outcome loadWithHeap(String heap, String file, String table, String... more)
            throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("load", file, "--table", table, "--quiet"));
        arguments.addAll(
                servers.isEmpty()
                        ? List.of("--store", "store")
                        : List.of("--connect", servers.getFirst().address()));
        arguments.addAll(Arrays.asList(more));
        Path said = folder.resolve("said");
        Process load = PenstockJvm.startConfined(folder, heap, DESCRIPTORS, arguments, said);
        assertThat(load.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ended").isTrue();
        String err = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(err).doesNotContain("OutOfMemory").doesNotContain("\tat ");
        return new Outcome(load.exitValue(), err);
    }

    private void assertCount(String table, long rows) throws Exception {
        PenstockJvm.Answer count =
                PenstockJvm.run(folder, "count", table, "--connect", servers.getFirst().address());
        assertThat(count.out()).as(count.err()).isEqualTo(rows + "\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 256})
    void lineitem_is_loaded_into_few_and_many_regions(int regions) throws Exception {
        startServers();
        long rows = writeLineitem(SCALE);
        Outcome outcome =
                load(
                        "lineitem.tbl",
                        "lineitem",
                        "--ddl",
                        "lineitem.sql",
                        "--regions",
                        Integer.toString(regions));
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertCount("lineitem", rows);
    }

    private long writeLineitem(double scale) throws IOException {
        Files.writeString(folder.resolve("lineitem.sql"), TpchTable.LINEITEM.ddl());
        Path file = folder.resolve("lineitem.tbl");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            new TpchWriter(TpchTable.LINEITEM, scale, 1).writeTo(out, bytes -> {});
        }
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.count();
        }
    }

    @Test
    void a_wide_file_is_loaded() throws Exception {
        startServers();
        int rows = (int) (SCALE * 500_000);
        StringBuilder ddl = new StringBuilder("CREATE TABLE wide (id BIGINT NOT NULL");
        for (int column = 1; column < WIDE_COLUMNS; column++) {
            ddl.append(", c").append(column);
            ddl.append(column % 3 == 0 ? " DECIMAL(12,2)" : column % 3 == 1 ? " INT" : " VARCHAR");
        }
        Files.writeString(folder.resolve("wide.sql"), ddl + ", PRIMARY KEY (id))");
        try (OutputStream out =
                new BufferedOutputStream(Files.newOutputStream(folder.resolve("wide.tbl")))) {
            for (int row = 0; row < rows; row++) {
                StringBuilder line = new StringBuilder().append((long) row * 7_919 % rows);
                for (int column = 1; column < WIDE_COLUMNS; column++) {
                    int value = row * 31 + column * 17;
                    line.append('|').append(column % 3 == 2 ? "text " + value : value);
                }
                out.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
            }
        }
        Outcome outcome = load("wide.tbl", "wide", "--ddl", "wide.sql", "--delimiter", "|");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertCount("wide", rows);
    }

    /**
     * Files with a header each, some compressed, whose beginnings together are more than the heap.
     */
    @Test
    void thousands_of_files_are_loaded_and_rejects_of_many_have_their_lines() throws Exception {
        startServers();
        Files.writeString(
                folder.resolve("many.sql"),
                "CREATE TABLE many (id BIGINT NOT NULL, text VARCHAR, PRIMARY KEY (id))");
        Files.createDirectory(folder.resolve("many"));
        long good = 0;
        List<String> bad = new ArrayList<>();
        List<String> badLines = new ArrayList<>();
        for (int file = 0; file < MANY_FILES; file++) {
            int rows = file % 5 < 2 ? 350 : 10;
            int badRow = file % 6 == 1 ? file % rows : -1;
            String name = "%04d.csv".formatted(file) + (file % 4 == 1 ? ".gz" : "");
            writeOneOfMany(folder.resolve("many").resolve(name), good, rows, badRow);
            good += badRow < 0 ? rows : rows - 1;
            if (badRow >= 0) {
                bad.add("none," + badRow);
                badLines.add(name + "," + (badRow + 2));
            }
        }
        Outcome outcome =
                load(
                        "many/*",
                        "many",
                        "--ddl",
                        "many.sql",
                        "--max-rejects",
                        "1000",
                        "--rejects",
                        "bad.csv");
        assertThat(outcome.exitCode()).as("loaded, with rejects: %s", outcome.err()).isEqualTo(3);
        assertCount("many", good);
        assertThat(bad).hasSize(MANY_FILES / 6);
        bad.addFirst("id,text");
        assertThat(Files.readAllLines(folder.resolve("bad.csv"))).isEqualTo(bad);
        assertThat(
                        Files.readAllLines(folder.resolve("bad.csv.reasons.csv")).stream()
                                .skip(1)
                                .map(line -> line.split(",", 3))
                                .map(fields -> Path.of(fields[0]).getFileName() + "," + fields[1]))
                .containsExactlyElementsOf(badLines);
    }

    private static void writeOneOfMany(Path file, long firstKey, int rows, int badRow)
            throws IOException {
        StringBuilder text = new StringBuilder("id,text\n");
        long key = firstKey;
        for (int row = 0; row < rows; row++) {
            if (row == badRow) {
                text.append("none,").append(row).append('\n');
            } else {
                text.append(key).append(",a row of ").append("many words ".repeat(17));
                text.append(key).append('\n');
                key++;
            }
        }
        try (OutputStream stored = Files.newOutputStream(file);
                OutputStream out =
                        file.toString().endsWith(".gz") ? new GZIPOutputStream(stored) : stored) {
            out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void more_keys_to_reject_than_the_loader_holds_wait_for_one_with_more_heap() throws Exception {
        startServers();
        int keys = 500_000;
        Files.writeString(
                folder.resolve("twice.sql"),
                "CREATE TABLE twice (id BIGINT NOT NULL, text VARCHAR, PRIMARY KEY (id))");
        try (OutputStream out =
                new BufferedOutputStream(Files.newOutputStream(folder.resolve("twice.tbl")))) {
            for (int row = 0; row < 2 * keys; row++) {
                out.write((row % keys + "|a row\n").getBytes(StandardCharsets.US_ASCII));
            }
        }
        Outcome refused = loadTwice("64m", "reject", "1000000", "--resume", "--label", "once");
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(1);
        assertThat(refused.err())
                .contains("than the loader can hold")
                .contains("more heap")
                .contains("the same command goes on");
        assertCount("twice", 0);
        Outcome loaded = loadTwice("768m", "reject", "1000000", "--resume", "--label", "once");
        assertThat(loaded.exitCode()).as("loaded, with rejects: %s", loaded.err()).isEqualTo(3);
        assertCount("twice", keys);
        Outcome limited = loadTwice("64m", "keep-last,reject", "10");
        assertThat(limited.exitCode()).as(limited.err()).isEqualTo(1);
        assertThat(limited.err()).contains("the limit is 10");
        assertCount("twice", keys);
    }

    private Outcome loadTwice(String heap, String policy, String maxRejects, String... more)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--ddl", "twice.sql"));
        arguments.addAll(List.of("--delimiter", "|", "--regions", "64"));
        arguments.addAll(List.of("--max-rejects", maxRejects, "--on-duplicate", policy));
        arguments.addAll(Arrays.asList(more));
        return loadWithHeap(heap, "twice.tbl", "twice", arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"row.tbl", "quoted.csv", "bomb.gz"})
    void a_record_that_cannot_fit_is_refused_in_a_sentence(String name) throws Exception {
        Files.writeString(
                folder.resolve("big.sql"),
                "CREATE TABLE big (id BIGINT NOT NULL, text VARCHAR, PRIMARY KEY (id))");
        Path file = folder.resolve(name);
        try (OutputStream plain = Files.newOutputStream(file);
                OutputStream out = name.endsWith("gz") ? new GZIPOutputStream(plain) : plain) {
            out.write("1,a\n2,".getBytes(StandardCharsets.US_ASCII));
            byte[] much = new byte[1 << 20];
            Arrays.fill(much, (byte) 'x');
            if (name.startsWith("quoted")) {
                out.write('"');
            }
            for (int megabytes = 0; megabytes < 100; megabytes++) {
                out.write(much);
            }
            out.write(
                    name.startsWith("quoted") ? "\"\n".getBytes(StandardCharsets.US_ASCII) : much);
            out.write("\n3,b\n".getBytes(StandardCharsets.US_ASCII));
        }
        String[] dialect = name.endsWith("tbl") ? new String[] {"--quote", "none"} : new String[0];
        List<String> more = new ArrayList<>(List.of("--ddl", "big.sql", "--delimiter", ","));
        more.addAll(Arrays.asList(dialect));
        Outcome outcome = load(name, "big", more.toArray(String[]::new));
        assertThat(outcome.exitCode()).as(outcome.err()).isNotZero();
        assertThat(outcome.err()).contains("penstock: ").containsAnyOf("longer than", "at once");
    }

    @Test
    void a_full_disk_for_rejects_is_said_and_the_load_succeeds_when_there_is_room()
            throws Exception {
        startServers();
        Path small = mount("rejects", 64 << 10);
        Files.writeString(
                folder.resolve("t.sql"),
                "CREATE TABLE t (id BIGINT NOT NULL, text VARCHAR, PRIMARY KEY (id))");
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 5_000; row++) {
            text.append(row % 2 == 0 ? "bad" : "").append(row).append('|');
            text.append("text of this row, long enough to fill a small disk\n");
        }
        Files.writeString(folder.resolve("t.tbl"), text);
        String[] more = {
            "--ddl",
            "t.sql",
            "--delimiter",
            "|",
            "--max-rejects",
            "10000",
            "--rejects",
            small.resolve("rejected").toString()
        };
        Outcome full = load("t.tbl", "t", more);
        assertThat(full.exitCode()).as(full.err()).isEqualTo(1);
        assertThat(full.err()).contains("rejected").contains("No space left on device");
        run("mount", "-o", "remount,size=4m", small.toString());
        Outcome roomy = load("t.tbl", "t", more);
        assertThat(roomy.exitCode()).as("loaded, with rejects: %s", roomy.err()).isEqualTo(3);
        assertThat(Files.readAllLines(small.resolve("rejected")))
                .hasSizeGreaterThanOrEqualTo(2_500);
        assertCount("t", 2_500);
    }

    @Test
    void a_full_disk_of_a_server_is_said_and_the_load_succeeds_when_there_is_room()
            throws Exception {
        Path small = mount("server-1", 2 << 20);
        startServers();
        long rows = writeLineitem(0.05);
        String[] more = {"--ddl", "lineitem.sql", "--regions", "6"};
        Outcome full = load("lineitem.tbl", "lineitem", more);
        assertThat(full.exitCode()).as(full.err()).isEqualTo(1);
        assertThat(full.err()).contains("No space left on device");
        run("mount", "-o", "remount,size=64m", small.toString());
        Outcome roomy = load("lineitem.tbl", "lineitem", more);
        assertThat(roomy.exitCode()).as(roomy.err()).isZero();
        assertCount("lineitem", rows);
    }

    private Path mount(String name, long bytes) throws Exception {
        Path point = Files.createDirectories(folder.resolve(name));
        Process mount =
                new ProcessBuilder(
                                "mount",
                                "-t",
                                "tmpfs",
                                "-o",
                                "size=" + bytes,
                                "tmpfs",
                                point.toString())
                        .start();
        Assumptions.assumeTrue(mount.waitFor() == 0, "skipped: no small disk can be mounted");
        mounts.add(point);
        return point;
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }
}
