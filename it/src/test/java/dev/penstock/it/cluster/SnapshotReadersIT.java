package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialValue;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.ddl.Keys;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadSpec;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LoadTarget;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Four readers look at a table of six regions on three server processes while loads are published,
 * cancelled, and cut short by kills just before and while they are published. Each read is one
 * snapshot: of every load it has all rows or none, all of those that were acknowledged before it
 * began, and all that the same reader has seen before.
 *
 * <p>{@code -Dpenstock.reads=N} for more reads, {@code -Dpenstock.reads.seed=N} for others.
 */
final class SnapshotReadersIT {
    private static final long READS = Long.getLong("penstock.reads", 1_000);
    private static final long SEED = Long.getLong("penstock.reads.seed", 1);

    private static final int SERVERS = 3;
    private static final int READERS = 4;
    private static final int REGIONS = 6;
    private static final int ROWS = 300;
    private static final int LOADS_PER_TABLE = 40;
    private static final int LIMIT_SECONDS = 60;
    private static final long LOOK_MILLIS = 20;
    private static final AggregateQuery QUERY =
            new AggregateQuery(
                    KeyRange.ALL,
                    Predicate.ALWAYS,
                    List.of(2),
                    List.of(Aggregate.countRows(), Aggregate.sum(0)));

    @TempDir private Path folder;

    private final Random random = new Random(SEED);
    private final List<ServerJvm> servers = new CopyOnWriteArrayList<>();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong interruptions = new AtomicLong();
    private final AtomicLong snapshots = new AtomicLong();
    private volatile Stage stage = new Stage("");
    private volatile boolean stopped;
    private final Map<String, Integer> outcomes = new TreeMap<>();

    /** One table and what is known of the loads into it. */
    private record Stage(String table, Map<Integer, Ring> rings, Set<Integer> done) {
        Stage(String table) {
            this(table, new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
        }
    }

    /** How a load ends. */
    private enum Ending {
        PUBLISHED,
        CANCELLED,
        /** A server is killed when the load is about to be published. */
        SERVER_KILLED,
        /** The leader is killed while it publishes, a moment more or less after it was asked. */
        LEADER_KILLED
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void every_snapshot_has_all_of_a_load_or_nothing() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
            for (int server = 0; server < SERVERS; server++) {
                servers.add(serve(server, "127.0.0.1:0"));
            }
            newTable();
            List<Future<?>> readers = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                readers.add(threads.submit(this::read));
            }
            try {
                while (reads.get() < READS && readers.stream().noneMatch(Future::isDone)) {
                    loadIntoTable();
                    newTable();
                }
            } finally {
                stopped = true;
            }
            for (Future<?> reader : readers) {
                reader.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            for (ServerJvm server : servers) {
                server.kill();
            }
        }
        System.out.printf(
                "snapshot readers: %d reads, %d of them after a change, seed %d, loads %s, %d reads"
                        + " interrupted by kills; partial sights 0%n",
                reads.get(), snapshots.get(), SEED, outcomes, interruptions.get());
    }

    private ServerJvm serve(int server, String listen) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "serve",
                                "--data",
                                folder.resolve("server-" + server).toString(),
                                "--listen",
                                listen));
        if (server > 0) {
            arguments.addAll(List.of("--join", servers.getFirst().address()));
        }
        return ServerJvm.startWithHeap(folder, "192m", arguments);
    }

    private String addresses() {
        return String.join(",", servers.stream().map(ServerJvm::address).toList());
    }

    private void restart(int server) throws IOException {
        servers.set(server, serve(server, servers.get(server).address()));
    }

    // Loads

    private void newTable() {
        Stage next = new Stage("rings" + stage.rings().size() + "_" + reads.get());
        try (Penstock store = Penstock.connect(addresses())) {
            TableSchema schema = Ddl.parseCreateTable(Ring.ddl(next.table(), true));
            store.createTable(schema);
            List<byte[]> points = new ArrayList<>();
            for (int i = 1; i < REGIONS; i++) {
                long id = (1L << 30) / REGIONS * i * Ring.MAX_LOADS;
                points.add(Keys.encode(schema, List.of(Long.toString(id))));
            }
            store.loadTarget().preSplit(next.table(), points);
        }
        stage = next;
    }

    private void loadIntoTable() throws Exception {
        Stage current = stage;
        for (int load = 1; load <= LOADS_PER_TABLE && reads.get() < READS; load++) {
            Ring ring = new Ring(load, ROWS + random.nextInt(ROWS));
            Ending ending =
                    switch (random.nextInt(16)) {
                        case 0 -> Ending.SERVER_KILLED;
                        case 1, 2 -> Ending.LEADER_KILLED;
                        case 3, 4, 5 -> Ending.CANCELLED;
                        default -> Ending.PUBLISHED;
                    };
            current.rings().put(load, ring);
            boolean done = load(current, ring, ending);
            outcomes.merge(ending + (done ? " visible" : " absent"), 1, Integer::sum);
        }
    }

    /** Whether it is visible; if it was killed, as found out afterwards. */
    private boolean load(Stage into, Ring ring, Ending ending) throws Exception {
        Path file = folder.resolve("ring");
        Files.write(file, ring.text());
        int victim =
                switch (ending) {
                    case SERVER_KILLED -> 1 + random.nextInt(SERVERS - 1);
                    case LEADER_KILLED -> 0;
                    case PUBLISHED, CANCELLED -> -1;
                };
        PublishHook hook = new PublishHook(ending, random, () -> killed(victim, ending));
        try (Penstock store = Penstock.connect(addresses())) {
            BulkLoad.into(hook.over(store.loadTarget()), into.table())
                    .spec(
                            LoadSpec.builder(into.table())
                                    .from(file.toString())
                                    .dialect(
                                            DialectOptions.DEFAULT
                                                    .withDelimiter('|')
                                                    .withHeader(false))
                                    .threads(1)
                                    .build())
                    .run();
            into.done().add(ring.load());
        } catch (PenstockException e) {
            assertThat(ending).as(e.getMessage()).isNotEqualTo(Ending.PUBLISHED);
        } finally {
            hook.await();
        }
        if (ending == Ending.SERVER_KILLED) {
            restart(victim);
        }
        if (victim >= 0) {
            awaitVisible(into);
        }
        return into.done().contains(ring.load());
    }

    /** The leader starts again while the loader still waits for it, a server only afterwards. */
    private void killed(int victim, Ending ending) {
        try {
            servers.get(victim).kill();
            if (ending == Ending.LEADER_KILLED) {
                restart(victim);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until all can be read again, and notes what is there. */
    private void awaitVisible(Stage into) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        boolean stop = false;
        while (!stop) {
            try (Penstock store = Penstock.connect(addresses())) {
                Table table = store.table(into.table());
                into.done().addAll(look(table, table.epoch(), into));
                return;
            } catch (PenstockException e) {
                assertThat(e.category()).as(e.getMessage()).isEqualTo(ErrorCategory.RETRY);
                stop = never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    // Readers

    private Void read() {
        Stage last = stage;
        Set<Integer> seen = new HashSet<>();
        while (!stopped) {
            try (Penstock store = Penstock.connect(addresses())) {
                while (!stopped) {
                    Stage current = stage;
                    if (!current.equals(last)) {
                        seen.clear();
                        last = current;
                    }
                    Set<Integer> acknowledged = Set.copyOf(current.done());
                    Table table = store.table(current.table());
                    Set<Integer> now = look(table, table.epoch(), current);
                    assertThat(now).as("seed %d", SEED).containsAll(acknowledged).containsAll(seen);
                    snapshots.addAndGet(now.size() > seen.size() ? 1 : 0);
                    seen.addAll(now);
                    reads.incrementAndGet();
                }
            } catch (PenstockException e) {
                assertThat(e.category()).as(e.getMessage()).isEqualTo(ErrorCategory.RETRY);
                interruptions.incrementAndGet();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
            }
        }
        return null;
    }

    /** The loads that are there as of an epoch, each of which must be whole. */
    private static Set<Integer> look(Table table, long epoch, Stage stage) {
        Set<Integer> loads = new HashSet<>();
        table.aggregate(QUERY, epoch)
                .groups()
                .forEach((group, values) -> {
                    String text = group.toString().replaceAll("[^0-9]", "");
                    Ring ring = stage.rings().get(Integer.parseInt(text));
                    assertThat(ring).as("seed %d, load %s", SEED, group).isNotNull();
                    assertThat(values)
                            .as("seed %d, epoch %d, load %s", SEED, epoch, group)
                            .containsExactly(
                                    new PartialValue.Count(ring.rows()),
                                    new PartialValue.ExactSum(BigInteger.valueOf(ring.sum())));
                    loads.add(ring.load());
                });
        return loads;
    }

    /** Kills or cancels when a load is about to be published. */
    private static final class PublishHook {
        private final Ending ending;
        private final int delayMicros;
        private final Runnable kill;
        private final List<Thread> killers = new ArrayList<>();

        PublishHook(Ending ending, Random random, Runnable kill) {
            this.ending = ending;
            this.delayMicros = random.nextInt(4_000);
            this.kill = kill;
        }

        LoadTarget over(LoadTarget target) {
            return HookedTarget.before(target, this::publishing);
        }

        private void publishing() {
            switch (ending) {
                case PUBLISHED -> {}
                case CANCELLED -> throw PenstockException.conflict("cancelled by this test");
                case SERVER_KILLED -> kill.run();
                case LEADER_KILLED -> killers.add(Thread.ofPlatform().start(this::killSoon));
            }
        }

        private void killSoon() {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(delayMicros));
            kill.run();
        }

        void await() throws InterruptedException {
            for (Thread killer : killers) {
                killer.join();
            }
        }
    }
}
