package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.it.LineitemFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ctrl-C and kill in the middle of a load, and a reader that has seen enough. */
final class InterruptionIT {
    private static final long SEED = 20_261_122;
    private static final int WAIT_SECONDS = 120;

    /** What a pipe holds. */
    private static final int PIPE_BYTES = 1 << 16;

    /** Between two looks at files of another process, which cannot be waited for. */
    private static final long LOOK_MILLIS = 2;

    @TempDir private Path folder;

    private static void send(String signal, Process load) throws Exception {
        new ProcessBuilder("kill", "-" + signal, Long.toString(load.pid())).start().waitFor();
    }

    /** Sends a signal, which must end the load; returns what that has said. */
    private static String interrupted(Process load, String signal, int exitCode) throws Exception {
        send(signal, load);
        assertThat(load.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).as("ended").isTrue();
        String said = new String(load.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(load.exitValue()).as(said).isEqualTo(exitCode);
        return said;
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    @Timeout(300)
    void an_interrupted_load_says_so_and_leaves_nothing(String signal, int exitCode)
            throws Exception {
        assumeHeeded(signal);
        LineitemFile lineitem = LineitemFile.shuffled(folder, 0.01, SEED);
        Process load =
                PenstockJvm.startReading(
                        folder,
                        "load",
                        "-",
                        "--delimiter",
                        "|",
                        "--ddl",
                        lineitem.ddl().toString(),
                        "--store",
                        "store",
                        "--chunk-size",
                        "64KiB",
                        "--max-rejects",
                        "1",
                        "--rejects",
                        "bad.tbl",
                        "--json");
        OutputStream input = load.getOutputStream();
        try {
            // Far more than a pipe holds: when this returns, the load has begun to read.
            input.write(Files.readAllBytes(lineitem.file()));
            input.flush();
            // Standard input stays open: the load must end although it waits for more.
            String said = interrupted(load, signal, exitCode);
            assertThat(said).contains("stopping").doesNotContain("\tat ");
            assertThat(new String(load.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(
                            "{\"error\":\"stopped; nothing of this load is visible.\","
                                    + "\"category\":\"interrupted\"}\n");
        } finally {
            load.destroyForcibly().waitFor();
            closeQuietly(input);
        }
        assertThat(folder.resolve("bad.tbl")).isEmptyFile();
        assertThat(Files.readAllLines(folder.resolve("bad.tbl.reasons.csv"))).hasSize(1);
        assertThat(Files.readString(folder.resolve("bad.tbl.load.json"))).contains("FAILED");
        PenstockJvm.Answer count = PenstockJvm.run(folder, "count", "lineitem", "--store", "store");
        assertThat(count.out()).isIn("0\n", "");
        PenstockJvm.Answer again =
                PenstockJvm.run(
                        folder,
                        "load",
                        lineitem.file().toString(),
                        "--ddl",
                        lineitem.ddl().toString(),
                        "--store",
                        "store",
                        "--quiet");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.out()).isEqualTo(lineitem.csv().lines().count() - 1 + "\n");
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    @Timeout(300)
    void an_interrupted_load_says_so_and_that_its_rejects_are_not_written(
            String signal, int exitCode) throws Exception {
        assumeHeeded(signal);
        assumeTrue(Files.isWritable(Path.of("/dev/full")), "skipped: there is no /dev/full");
        LineitemFile lineitem = LineitemFile.shuffled(folder, 0.01, SEED);
        String command =
                "load - --delimiter | --header --ddl "
                        + lineitem.ddl()
                        + " --store store --chunk-size 64KiB --max-rejects 1 --rejects /dev/full";
        Process load = PenstockJvm.start(folder, command.split(" "));
        OutputStream input = load.getOutputStream();
        try {
            // The header, which is repeated before rejects, is what there is no room for.
            String header = lineitem.csv().lines().findFirst().orElseThrow().replace(',', '|');
            input.write((header + "\n").getBytes(StandardCharsets.UTF_8));
            input.write(Files.readAllBytes(lineitem.file()));
            input.flush();
            assertThat(interrupted(load, signal, exitCode))
                    .endsWith(
                            "penstock: The rejects file /dev/full could not be written: No space"
                                    + " left on device.\n"
                                    + "penstock: stopped; nothing of this load is visible.\n");
        } finally {
            load.destroyForcibly().waitFor();
            closeQuietly(input);
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "KILL, 137"})
    @Timeout(300)
    void a_load_with_resume_goes_on_however_it_was_ended(String signal, int exitCode)
            throws Exception {
        assumeHeeded(signal);
        LineitemFile lineitem = LineitemFile.shuffled(folder, 0.03, SEED);
        String command =
                "load "
                        + lineitem.file()
                        + " --ddl "
                        + lineitem.ddl()
                        + " --store store --chunk-size 64KiB --threads 1 --quiet --label night"
                        + " --resume";
        for (int i = 0; i < 2; i++) {
            Process load = PenstockJvm.start(folder, command.split(" "));
            try {
                awaitMoreCheckpoints(folder.resolve("store").resolve("checkpoints"));
                send(signal, load);
                String said =
                        new String(load.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(load.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).as("ended").isTrue();
                assertThat(load.exitValue()).as(said).isEqualTo(exitCode);
                if (!signal.equals("KILL")) {
                    assertThat(said)
                            .contains("To go on:\n  " + PenstockJvm.name() + " " + command + "\n");
                }
            } finally {
                load.destroyForcibly().waitFor();
            }
        }
        PenstockJvm.Answer rest = PenstockJvm.run(folder, command.split(" "));
        assertThat(rest.exitCode()).as(rest.err()).isZero();
        assertThat(rest.out()).isEqualTo(lineitem.csv().lines().count() - 1 + "\n");
        PenstockJvm.Answer scan = PenstockJvm.run(folder, "scan", "lineitem", "--store", "store");
        assertThat(scan.out()).isEqualTo(lineitem.csv());
    }

    /** Who is told that nothing is visible loads again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(300)
    void a_load_that_is_interrupted_when_it_is_published_ends_as_if_it_were_not(boolean twice)
            throws Exception {
        LineitemFile lineitem = LineitemFile.shuffled(folder, 0.001, SEED);
        String rows = lineitem.csv().lines().count() - 1 + "\n";
        Path pipe = folder.resolve("report");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
        ServerJvm server = ServerJvm.start(folder, "data", "127.0.0.1:0");
        try (RandomAccessFile report = new RandomAccessFile(pipe.toFile(), "rw")) {
            // The pipe is full, so the load waits when it prints its report.
            report.write(new byte[PIPE_BYTES]);
            Process load =
                    PenstockJvm.startPrinting(
                            folder,
                            pipe,
                            "load",
                            lineitem.file().toString(),
                            "--ddl",
                            lineitem.ddl().toString(),
                            "--connect",
                            server.address());
            try {
                awaitCount(server.address(), rows);
                send("TERM", load);
                BufferedReader said = load.errorReader(StandardCharsets.UTF_8);
                assertThat(said.lines().anyMatch(line -> line.contains("stopping"))).isTrue();
                if (twice) {
                    awaitOffer(said);
                    send("TERM", load);
                    assertThat(said.lines())
                            .contains("penstock: ended at once; the load has come to its end.");
                } else {
                    report.readFully(new byte[PIPE_BYTES]);
                    assertThat(said.lines()).anyMatch(line -> line.contains("too late to stop"));
                }
                assertThat(load.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).as("ended").isTrue();
                assertThat(load.exitValue()).isZero();
            } finally {
                load.destroyForcibly().waitFor();
            }
        } finally {
            server.stop();
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    @Timeout(300)
    void a_table_whose_generation_is_interrupted_leaves_the_file_as_it_was(
            String signal, int exitCode) throws Exception {
        assumeHeeded(signal);
        Path file = Files.writeString(folder.resolve("li.tbl"), "earlier");
        Path part = folder.resolve("li.tbl.part");
        Process generate =
                PenstockJvm.start(
                        folder, "generate", "lineitem", "--scale", "100", "--out", "li.tbl");
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
            CountDownLatch never = new CountDownLatch(1);
            while (size(part) == 0) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                assertThat(never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
            }
            assertThat(interrupted(generate, signal, exitCode))
                    .endsWith("penstock: stopped; li.tbl is not written.\n");
        } finally {
            generate.destroyForcibly().waitFor();
        }
        assertThat(file).hasContent("earlier");
        assertThat(part).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    @Timeout(300)
    void a_server_that_is_told_to_stop_has_not_failed(String signal) throws Exception {
        assumeHeeded(signal);
        ServerJvm server = ServerJvm.start(folder, "data", "127.0.0.1:0");
        server.signal(signal);
        assertThat(server.stop()).as(server.said()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    @Timeout(300)
    void a_second_signal_ends_a_load_that_waits_for_a_server(String signal, int exitCode)
            throws Exception {
        assumeHeeded(signal);
        LineitemFile lineitem = LineitemFile.shuffled(folder, 0.01, SEED);
        ServerJvm server = ServerJvm.start(folder, "data", "127.0.0.1:0");
        Process load =
                PenstockJvm.start(
                        folder,
                        "load",
                        "-",
                        "--delimiter",
                        "|",
                        "--ddl",
                        lineitem.ddl().toString(),
                        "--connect",
                        server.address());
        OutputStream input = load.getOutputStream();
        try {
            input.write(Files.readAllBytes(lineitem.file()));
            input.flush();
            server.signal("STOP");
            send(signal, load);
            BufferedReader said = load.errorReader(StandardCharsets.UTF_8);
            awaitOffer(said);
            send(signal, load);
            assertThat(said.lines()).anyMatch(line -> line.contains("ended at once"));
            assertThat(load.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).as("ended").isTrue();
            assertThat(load.exitValue()).isEqualTo(exitCode);
        } finally {
            load.destroyForcibly().waitFor();
            closeQuietly(input);
            server.signal("CONT");
        }
        PenstockJvm.Answer again =
                PenstockJvm.run(
                        folder,
                        "load",
                        lineitem.file().toString(),
                        "--ddl",
                        lineitem.ddl().toString(),
                        "--connect",
                        server.address(),
                        "--quiet");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.out()).isEqualTo(lineitem.csv().lines().count() - 1 + "\n");
        assertThat(server.stop()).isZero();
    }

    private static void awaitOffer(BufferedReader said) {
        assertThat(said.lines().anyMatch(line -> line.contains("again ends at once"))).isTrue();
    }

    private void awaitCount(String address, String rows) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        PenstockJvm.Answer count;
        do {
            assertThat(System.nanoTime()).as("rows are visible").isLessThan(deadline);
            count = PenstockJvm.run(folder, "count", "lineitem", "--connect", address);
        } while (!count.out().equals(rows));
    }

    /** Until the load has recorded some chunks since this was called. */
    private static void awaitMoreCheckpoints(Path checkpoints) throws Exception {
        long before = bytes(checkpoints);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        CountDownLatch never = new CountDownLatch(1);
        while (bytes(checkpoints) < before + 1_000) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            assertThat(never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
        }
    }

    private static long bytes(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                bytes += size(file);
            }
        }
        return bytes;
    }

    /** A new file gets its name once it is written: it may not have the one it was found by. */
    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    private static void assumeHeeded(String signal) throws IOException {
        assumeFalse(
                signal.equals("INT") && ignoresInterrupts(),
                "skipped: this process was started with interrupts ignored, and so are its own");
    }

    /** Whether Ctrl-C means nothing here, as in a shell's background jobs. */
    private static boolean ignoresInterrupts() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.isReadable(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                .anyMatch(ignored -> (ignored >>> 1 & 1) != 0);
    }

    /** The other end is gone already. */
    private static void closeQuietly(OutputStream input) {
        try {
            input.close();
        } catch (IOException e) {
            // What was not read does not matter any more.
        }
    }

    @Test
    @Timeout(300)
    void a_reader_that_goes_away_ends_a_scan_quietly() throws Exception {
        LineitemFile lineitem = LineitemFile.shuffled(folder, 0.005, SEED);
        PenstockJvm.Answer load =
                PenstockJvm.run(
                        folder,
                        "load",
                        lineitem.file().toString(),
                        "--ddl",
                        lineitem.ddl().toString(),
                        "--store",
                        "store");
        assertThat(load.exitCode()).as(load.err()).isZero();
        Process scan = PenstockJvm.startReading(folder, "scan", "lineitem", "--store", "store");
        assertThat(scan.inputReader().readLine()).startsWith("l_orderkey,");
        scan.getInputStream().close();
        String said = new String(scan.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(scan.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(scan.exitValue()).as(said).isZero();
        assertThat(said).doesNotContain("penstock:").doesNotContain("Exception");
    }
}
