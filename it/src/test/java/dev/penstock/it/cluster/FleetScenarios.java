package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.api.ServerStatus;
import dev.penstock.kv.security.ClientSecurity;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * What must hold whatever happens to servers, networks and loaders: a load is there as a whole or
 * not at all, what was there before stays, a reader never sees half a load, and whoever waits is
 * told what happened. "In the middle of a load" is when half of its input has been given, each
 * server holds some of it, and the loader waits for the rest.
 *
 * <p>Some of them wait for a minute until somebody is given up; so a few run at a time, each with
 * servers of its own, and those that wait longest begin first.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class FleetScenarios {
    /** Containers are other machines. */
    private static final ClientSecurity IN_PLAIN_TEXT =
            new ClientSecurity(Optional.empty(), Optional.empty(), true);

    private static final int ROWS = 100_000;
    private static final long LOAD_SECONDS = 240;

    /** Between two looks at the state of a store: it cannot be waited for. */
    private static final long LOOK_MILLIS = 50;

    @TempDir Path folder;

    private final Map<Integer, Events> known = new TreeMap<>();
    private @Nullable Fleet started;

    /** Starts three servers. */
    abstract Fleet start(FleetSpec spec) throws Exception;

    private void start(FleetSpec spec, int loads, int rows) throws Exception {
        for (int load = 0; load < loads; load++) {
            known.put(load, Events.of(load, rows));
        }
        Files.writeString(folder.resolve(Events.DDL_FILE), Events.DDL);
        started = start(spec);
    }

    @AfterEach
    void endFleet() {
        if (started != null) {
            started.close();
        }
    }

    private Fleet fleet() {
        return Objects.requireNonNull(started, "no servers yet");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_load_is_seen_when_it_has_ended_and_not_before() throws Exception {
        start(FleetSpec.unlimited(), 2, ROWS);
        loadWhole(0);
        try (Witness witness = new Witness(allServers(), known);
                LoadRun load = begin(1)) {
            witness.awaitFirstRead();
            assertThat(loads()).containsExactly(0);
            give(load, 1);
            assertThat(end(load).exitCode()).isZero();
            assertThat(loads()).containsExactly(0, 1);
            assertThat(witness.faults()).isEmpty();
        }
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(ints = {0, 2})
    void a_load_whose_server_is_killed_and_started_again_is_absent_and_says_why(int server)
            throws Exception {
        start(FleetSpec.unlimited(), 3, ROWS);
        loadWhole(0);
        try (Witness witness = new Witness(allServers(), known);
                LoadRun load = begin(1)) {
            witness.awaitFirstRead();
            fleet().kill(server);
            fleet().restart(server);
            give(load, 1);
            LoadRun.Outcome outcome = end(load);
            assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
            assertThat(outcome.err()).containsAnyOf("started anew", "was aborted");
            assertSaidOnce(outcome);
            assertThat(loads()).containsExactly(0);
            loadWhole(2);
            assertThat(loads()).containsExactly(0, 2);
            assertThat(witness.faults()).isEmpty();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_load_outlives_a_short_cut_of_the_network() throws Exception {
        start(FleetSpec.unlimited(), 2, ROWS);
        loadWhole(0);
        try (LoadRun load = begin(1)) {
            fleet().disconnect(1);
            give(load, 1);
            awaitStatus(load, status -> status.servers().stream().anyMatch(s -> !s.reachable()));
            fleet().reconnect(1);
            LoadRun.Outcome outcome = end(load);
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            assertThat(loads()).containsExactly(0, 1);
        }
    }

    @Test
    @Order(1)
    @Execution(ExecutionMode.CONCURRENT)
    void a_load_that_cannot_reach_a_server_any_more_is_absent_and_names_it() throws Exception {
        start(FleetSpec.unlimited(), 3, ROWS);
        loadWhole(0);
        try (LoadRun load = begin(1)) {
            fleet().disconnect(1);
            give(load, 1);
            LoadRun.Outcome outcome = end(load);
            assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
            assertThat(outcome.err()).contains("server " + fleet().address(1));
            assertSaidOnce(outcome);
            fleet().reconnect(1);
            awaitReachable();
            assertThat(loads()).containsExactly(0);
            loadWhole(2);
            assertThat(loads()).containsExactly(0, 2);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void an_interrupted_load_is_absent_and_leaves_nothing() throws Exception {
        start(FleetSpec.unlimited(), 3, ROWS);
        loadWhole(0);
        try (LoadRun load = begin(1)) {
            load.interrupt();
            LoadRun.Outcome outcome = load.outcome().get(LOAD_SECONDS, TimeUnit.SECONDS);
            assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(143);
            assertThat(outcome.err()).contains("nothing of this load is visible");
            assertThat(status().runningLoads()).isEmpty();
            assertThat(loads()).containsExactly(0);
            loadWhole(2);
            assertThat(loads()).containsExactly(0, 2);
        }
    }

    @Test
    @Order(1)
    @Execution(ExecutionMode.CONCURRENT)
    void servers_forget_a_load_whose_loader_was_killed() throws Exception {
        start(FleetSpec.unlimited(), 3, ROWS);
        loadWhole(0);
        try (LoadRun load = begin(1)) {
            load.kill();
            load.outcome().get(LOAD_SECONDS, TimeUnit.SECONDS);
            assertThat(loads()).containsExactly(0);
            loadWhole(2);
            assertThat(loads()).containsExactly(0, 2);
            awaitStatus(status ->
                    status.runningLoads().isEmpty()
                            && status.servers().stream().allMatch(s -> s.loads().isEmpty()));
            assertThat(loads()).containsExactly(0, 2);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void readers_see_whole_loads_while_all_servers_are_started_anew_one_by_one() throws Exception {
        start(FleetSpec.unlimited(), 3, ROWS);
        loadWhole(0);
        loadWhole(1);
        try (Witness witness = new Witness(allServers(), known)) {
            witness.awaitFirstRead();
            for (int server = Fleet.SERVERS - 1; server >= 0; server--) {
                fleet().stop(server);
                fleet().restart(server);
                awaitReachable();
                assertThat(loads()).containsExactly(0, 1);
            }
            loadWhole(2);
            assertThat(loads()).containsExactly(0, 1, 2);
            assertThat(witness.faults()).isEmpty();
        }
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(ints = {0, 2})
    void a_load_too_large_for_a_disk_is_absent_and_says_so(int server) throws Exception {
        start(FleetSpec.smallDisk(server, 4 << 20), 1, 1_000);
        known.put(1, Events.of(1, 3 * ROWS));
        known.put(2, Events.of(2, 1_000));
        loadWhole(0);
        LoadRun.Outcome outcome;
        try (LoadRun load = run()) {
            load.input().give(events(1).text());
            outcome = end(load);
        }
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
        assertThat(outcome.err()).contains("No space left on device");
        assertSaidOnce(outcome);
        assertThat(loads()).containsExactly(0);
        loadWhole(2);
        assertThat(loads()).containsExactly(0, 2);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_server_with_512_mebibytes_takes_its_part_of_a_load_ten_times_larger_than_its_heap_needs()
            throws Exception {
        start(FleetSpec.smallMemory(1, 512 << 20), 1, 1_000);
        known.put(1, Events.of(1, 6 * ROWS));
        loadWhole(0);
        loadWhole(1);
        assertThat(loads()).containsExactly(0, 1);
    }

    // Loads

    private Events events(int number) {
        return Objects.requireNonNull(known.get(number));
    }

    private LoadRun run() throws Exception {
        return fleet().load(Events.arguments(allServers()));
    }

    /** Loads all rows of a load. */
    private void loadWhole(int number) throws Exception {
        try (LoadRun load = run()) {
            load.input().give(events(number).text());
            LoadRun.Outcome outcome = end(load);
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            assertThat(outcome.out().strip()).isEqualTo(Integer.toString(events(number).rows()));
        }
    }

    /** Starts a load and returns in the middle of it. */
    private LoadRun begin(int number) throws Exception {
        LoadRun load = run();
        try {
            load.input().give(events(number).firstHalf());
            awaitStatus(load, status -> status.servers().stream().allMatch(FleetScenarios::staged));
            return load;
        } catch (Exception | Error e) {
            load.close();
            throw e;
        }
    }

    /** Gives the rest. */
    private void give(LoadRun load, int number) {
        load.input().give(events(number).secondHalf());
    }

    private static LoadRun.Outcome end(LoadRun load) throws Exception {
        load.input().end();
        return load.outcome().get(LOAD_SECONDS, TimeUnit.SECONDS);
    }

    private static boolean staged(ServerStatus server) {
        return server.loads().stream().mapToLong(LoadProgress::fragments).sum() > 0;
    }

    /** A sentence for a user, no stack trace, and not twice the same. */
    private static void assertSaidOnce(LoadRun.Outcome outcome) {
        assertThat(outcome.err()).doesNotContain("\tat ").doesNotContain("Exception");
        assertThat(outcome.err().lines().filter(line -> line.startsWith("penstock:"))).hasSize(1);
    }

    // The store

    private String allServers() {
        return fleet().address(0) + "," + fleet().address(1) + "," + fleet().address(2);
    }

    private List<Integer> loads() throws Exception {
        return Witness.loadsIn(allServers(), known);
    }

    private ClusterStatus status() {
        try (Penstock store = Penstock.connect(fleet().address(0), IN_PLAIN_TEXT)) {
            return store.status();
        }
    }

    private void awaitReachable() throws Exception {
        awaitStatus(status -> status.servers().stream().allMatch(ServerStatus::reachable));
    }

    private void awaitStatus(Predicate<ClusterStatus> wanted) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        boolean stop = false;
        while (!stop && !wanted.test(status())) {
            stop = never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Waits for a state of the store that comes while a load runs; its end comes too early. */
    private void awaitStatus(LoadRun load, Predicate<ClusterStatus> wanted) throws Exception {
        while (!wanted.test(status())) {
            try {
                LoadRun.Outcome early = load.outcome().get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                throw new AssertionError("the load has ended: " + early);
            } catch (TimeoutException e) {
                // It still runs: look again.
            }
        }
    }
}
