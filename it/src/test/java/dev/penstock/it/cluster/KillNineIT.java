package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.RegionStatus;
import dev.penstock.kv.api.ServerStatus;
import dev.penstock.kv.ddl.Ddl;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Loader and servers are killed at random moments of labelled loads, which are repeated until they
 * are done. After each recovery all rows are read: every load that said it is done is there as a
 * whole and once, every other one wholly or not at all.
 *
 * <p>{@code -Dpenstock.kills=N} for more kills, {@code -Dpenstock.kills.seed=N} for others.
 */
final class KillNineIT {
    private static final int KILLS = Integer.getInteger("penstock.kills", 4);
    private static final long SEED = Long.getLong("penstock.kills.seed", 1);

    private static final int SERVERS = 3;
    private static final int ROWS = 40_000;

    /** After so many, the servers' files are compared with what they say, and tables begin anew. */
    private static final int LOADS_PER_TABLE = 12;

    /** Without a disturbance a load takes seconds; a killed loader's label is free after 15 s. */
    private static final long LIMIT_SECONDS = 120;

    private static final long LOOK_MILLIS = 20;

    @TempDir private Path folder;

    private final Random random = new Random(SEED);
    private final List<ServerJvm> servers = new ArrayList<>();
    private final List<Long> recoveryMillis = new ArrayList<>();

    /** Loads into the present table that are not known to be done, those tried first in front. */
    private final Deque<Ring> pending = new ArrayDeque<>();

    private final Map<Integer, Integer> sizes = new HashMap<>();
    private final Set<Integer> done = new TreeSet<>();
    private int tables;
    private int loads;
    private int kills;
    private int repeated;
    private int found;
    private long orphans;
    private long loadMillis = 2_000;

    @Test
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void no_row_is_lost_or_doubled_whatever_is_killed() throws Exception {
        try {
            for (int server = 0; server < SERVERS; server++) {
                servers.add(serve(server, "127.0.0.1:0"));
            }
            newTable();
            loadMillis = timeOf(new Ring(Ring.MAX_LOADS - 1, ROWS));
            while (kills < KILLS) {
                disturbedLoad();
                if (loads >= tables * LOADS_PER_TABLE) {
                    endTable();
                    report();
                    newTable();
                }
            }
            endTable();
        } finally {
            for (ServerJvm server : servers) {
                server.kill();
            }
        }
        report();
    }

    private void report() {
        Collections.sort(recoveryMillis);
        System.out.printf(
                "kill -9: %d kills, seed %d, %d loads into %d tables, %d of them repeated, %d found"
                        + " done after a kill; rows lost 0, doubled 0; recovery p50 %d ms, p99 %d"
                        + " ms; orphan bytes %d%n",
                kills,
                SEED,
                loads,
                tables,
                repeated,
                found,
                percentile(50),
                percentile(99),
                orphans);
        assertThat(orphans).as("bytes of files that no server names").isZero();
    }

    private long percentile(int percent) {
        return recoveryMillis.get((recoveryMillis.size() - 1) * percent / 100);
    }

    // Servers

    private ServerJvm serve(int server, String listen) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of("serve", "--data", data(server).toString(), "--listen", listen));
        if (server > 0) {
            arguments.addAll(List.of("--join", servers.getFirst().address()));
        }
        return ServerJvm.startWithHeap(folder, "192m", arguments);
    }

    private Path data(int server) {
        return folder.resolve("server-" + server);
    }

    private String addresses() {
        return String.join(",", servers.stream().map(ServerJvm::address).toList());
    }

    private void restart(Set<Integer> victims) throws Exception {
        List<Integer> order = new ArrayList<>(victims);
        Collections.shuffle(order, random);
        // Side by side, since a member is ready when it has joined its leader.
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<Integer, Future<ServerJvm>> starting = new LinkedHashMap<>();
            for (int server : order) {
                String address = servers.get(server).address();
                starting.put(server, threads.submit(() -> serve(server, address)));
            }
            for (Map.Entry<Integer, Future<ServerJvm>> server : starting.entrySet()) {
                servers.set(
                        server.getKey(), server.getValue().get(LIMIT_SECONDS, TimeUnit.SECONDS));
            }
        }
    }

    /**
     * Reads all rows as soon as all servers answer, and looks whether they are what they may be.
     */
    private void recover() throws Exception {
        long begin = System.nanoTime();
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            try (Penstock store = Penstock.connect(addresses())) {
                check(Ring.walk(store.table(table()), sizes));
                break;
            } catch (PenstockException e) {
                assertThat(e.category()).as(e.getMessage()).isEqualTo(ErrorCategory.RETRY);
                long waited = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
                assertThat(waited).as("seconds without: %s", e.getMessage()).isLessThan(60);
                assertThat(never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
            }
        }
    }

    private void check(Ring.Walk walk) {
        String situation = "seed " + SEED + ", after kill " + kills + ": " + walk;
        assertThat(walk.whole()).as(situation).isTrue();
        assertThat(walk.rowsByLoad().keySet()).as(situation).containsAll(done);
        for (int load : walk.rowsByLoad().keySet()) {
            assertThat(sizes).as(situation).containsKey(load);
            if (done.add(load)) {
                found++;
            }
        }
    }

    // Loads

    private String table() {
        return "rings" + tables;
    }

    private void newTable() {
        tables++;
        sizes.clear();
        done.clear();
        try (Penstock store = Penstock.connect(addresses())) {
            store.createTable(Ddl.parseCreateTable(Ring.ddl(table(), tables % 2 == 0)));
        }
    }

    private Process start(Ring ring) throws IOException {
        Path file = folder.resolve("ring-" + ring.load());
        Files.write(file, ring.text());
        sizes.put(ring.load(), ring.rows());
        List<String> arguments =
                List.of(
                        "load",
                        file.toString(),
                        "--table",
                        table(),
                        "--delimiter",
                        "|",
                        "--connect",
                        addresses(),
                        "--label",
                        "ring " + ring.load(),
                        "--regions",
                        "6",
                        "--threads",
                        "2",
                        "--chunk-size",
                        "64KiB",
                        "--quiet");
        return PenstockJvm.startDiscarding(folder, "128m", arguments, folder.resolve("said"));
    }

    private long timeOf(Ring ring) throws Exception {
        long begin = System.nanoTime();
        until(ring);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }

    /** One load of a new ring, or of one that was not done, and kills in the middle of it. */
    private void disturbedLoad() throws Exception {
        boolean again = !pending.isEmpty() && random.nextInt(3) == 0;
        Ring ring = again ? pending.removeFirst() : new Ring(++loads, ROWS - random.nextInt(5_000));
        repeated += again ? 1 : 0;
        Process loader = start(ring);
        loader.waitFor(loadMillis * (10 + random.nextInt(100)) / 100, TimeUnit.MILLISECONDS);
        int who = 1 + random.nextInt((1 << (SERVERS + 1)) - 1);
        Set<Integer> victims = new TreeSet<>();
        for (int server = 0; server < SERVERS; server++) {
            if ((who >> server & 1) != 0) {
                victims.add(server);
            }
        }
        boolean loaderToo = (who >> SERVERS & 1) != 0;
        if (loaderToo && loader.isAlive()) {
            loader.destroyForcibly();
            kills++;
        }
        for (int server : victims) {
            servers.get(server).kill();
            kills++;
        }
        long begin = System.nanoTime();
        restart(victims);
        recover();
        if (!victims.isEmpty()) {
            recoveryMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        }
        finish(ring, loader);
    }

    private void finish(Ring ring, Process loader) throws Exception {
        assertThat(loader.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("loader ends").isTrue();
        assertThat(Files.readString(folder.resolve("said"))).doesNotContain("\tat ");
        if (loader.exitValue() == 0) {
            done.add(ring.load());
            Files.delete(folder.resolve("ring-" + ring.load()));
        } else {
            pending.addLast(ring);
        }
        recover();
    }

    /** Repeats a load, which nobody disturbs any more, until it is done. */
    private void until(Ring ring) throws Exception {
        long begin = System.nanoTime();
        while (true) {
            Process loader = start(ring);
            assertThat(loader.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            if (loader.exitValue() == 0) {
                done.add(ring.load());
                return;
            }
            String said = Files.readString(folder.resolve("said"), StandardCharsets.UTF_8);
            assertThat(said).as("seed %d, kill %d", SEED, kills).contains("is running");
            assertThat(System.nanoTime() - begin)
                    .as(said)
                    .isLessThan(TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
        }
    }

    /** All loads are done in the end; then no server has a byte that belongs to nothing. */
    private void endTable() throws Exception {
        while (!pending.isEmpty()) {
            repeated++;
            until(pending.removeFirst());
        }
        recover();
        for (ServerJvm server : servers) {
            server.kill();
        }
        kills += SERVERS;
        restart(Set.of(0, 1, 2));
        recover();
        try (Penstock store = Penstock.connect(addresses())) {
            ClusterStatus status = store.status();
            assertThat(status.runningLoads()).isEmpty();
            orphans += orphansThatStay(store);
            assertThat(store.dropTable(table())).isTrue();
        }
    }

    /** A server that is compacting has files for a moment that it does not name. */
    private long orphansThatStay(Penstock store) throws IOException {
        long begin = System.nanoTime();
        while (true) {
            long bytes = 0;
            for (ServerStatus server : store.status().servers()) {
                bytes += Math.abs(orphansOf(server));
            }
            if (bytes == 0 || System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
                return bytes;
            }
        }
    }

    /** Bytes of segments, fragments and unfinished files beyond those that the server names. */
    private long orphansOf(ServerStatus server) throws IOException {
        for (int number = 0; number < SERVERS; number++) {
            if (servers.get(number).address().equals(server.server().address())) {
                long named = server.regions().stream().mapToLong(RegionStatus::storedBytes).sum();
                return bytes(data(number), ".seg")
                        - named
                        + bytes(data(number), ".fragments", ".new");
            }
        }
        throw new AssertionError("an unknown server: " + server);
    }

    private static long bytes(Path folder, String... ends) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                if (Stream.of(ends).anyMatch(name::endsWith)) {
                    bytes += Files.size(file);
                }
            }
        } catch (NoSuchFileException | UncheckedIOException e) {
            // A compaction has just removed it: whoever asks looks again.
            return Long.MAX_VALUE / 4;
        }
        return bytes;
    }
}
