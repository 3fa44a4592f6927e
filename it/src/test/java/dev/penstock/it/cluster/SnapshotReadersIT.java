package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.GroupKey;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.aggregate.PartialValue;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.ddl.Keys;
import dev.penstock.kv.net.RemoteCluster;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadSpec;
import dev.penstock.predicate.Literal;
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
import java.util.Collections;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Four readers look at a table of four regions on three server processes while loads are published,
 * cancelled, and cut short by kills just before and while they are published. Each read is one
 * snapshot, counted and summed up by the servers: of every load it has all rows or none, and their
 * rings are closed; it has all loads that were acknowledged before it began, and all that the same
 * reader has seen before. The readers keep their connections and never wait but for servers that
 * are down; the next load begins when they have had their share of reads.
 *
 * <p>{@code -Dpenstock.reads=N} for more reads, {@code -Dpenstock.reads.loads=N} for more loads,
 * {@code -Dpenstock.reads.seed=N} for others.
 */
final class SnapshotReadersIT {
    private static final int READS = Integer.getInteger("penstock.reads", 10_000);
    private static final int LOADS = Integer.getInteger("penstock.reads.loads", 8);
    private static final long SEED = Long.getLong("penstock.reads.seed", 1);

    private static final int SERVERS = 3;
    private static final int READERS = 4;
    private static final int REGIONS = 4;
    private static final int ROWS = 60;
    private static final int LIMIT_SECONDS = 60;
    private static final long LOOK_MILLIS = 5;

    /** Rows of each load, and the sums of where its rows are and where they point to. */
    private static final AggregateQuery QUERY =
            new AggregateQuery(
                    KeyRange.ALL,
                    Predicate.ALWAYS,
                    List.of(2),
                    List.of(Aggregate.countRows(), Aggregate.sum(0), Aggregate.sum(1)));

    @TempDir private Path folder;

    private final Random random = new Random(SEED);
    private final List<ServerJvm> servers = new CopyOnWriteArrayList<>();

    /** One permit for each read that was right. */
    private final Semaphore turns = new Semaphore(0);

    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong during = new AtomicLong();
    private final AtomicLong changes = new AtomicLong();
    private final AtomicLong interruptions = new AtomicLong();
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private volatile Stage stage = new Stage("none");
    private volatile CountDownLatch serversAreUp = new CountDownLatch(0);
    private volatile boolean loading;
    private volatile boolean stopped;

    /** One table and what is known of the loads into it. */
    private record Stage(String table, Map<Integer, Ring> rings, Set<Integer> done) {
        Stage(String table) {
            this(table, new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
        }

        boolean is(Stage other) {
            return table.equals(other.table);
        }
    }

    /** How a load ends. */
    private enum Ending {
        PUBLISHED,
        CANCELLED,
        /** A member is killed when the load is about to be published, or while it is. */
        MEMBER_KILLED,
        /** The leader is killed while it publishes, a moment more or less after it was asked. */
        LEADER_KILLED
    }

    /** What the loads into each table are, in an order by chance. */
    private static final List<Ending> ENDINGS = endings(4, 2, 1, 1);

    private static List<Ending> endings(int... counts) {
        List<Ending> endings = new ArrayList<>();
        for (Ending ending : Ending.values()) {
            endings.addAll(Collections.nCopies(counts[ending.ordinal()], ending));
        }
        return endings;
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void every_snapshot_has_all_of_a_load_or_nothing() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(READERS);
        try {
            startServers();
            List<Future<?>> readers = new ArrayList<>();
            newTable("rings");
            for (int reader = 0; reader < READERS; reader++) {
                readers.add(threads.submit(this::read));
            }
            loadAndRead(readers);
            stopped = true;
            for (Future<?> reader : readers) {
                reader.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            stopped = true;
            for (ServerJvm server : servers) {
                server.kill();
            }
            threads.shutdown();
        }
        report();
        assertThat(reads.get()).isGreaterThanOrEqualTo(READS);
    }

    private void report() {
        System.out.printf(
                "snapshot readers: %d reads, %d of them during a load, %d the first after a change,"
                        + " seed %d, loads %s, %d reads interrupted by kills; partial sights 0%n",
                reads.get(), during.get(), changes.get(), SEED, outcomes, interruptions.get());
    }

    // Servers

    private void startServers() throws Exception {
        servers.add(serve(0, "127.0.0.1:0"));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ServerJvm>> members = new ArrayList<>();
            for (int server = 1; server < SERVERS; server++) {
                int number = server;
                members.add(threads.submit(() -> serve(number, "127.0.0.1:0")));
            }
            for (Future<ServerJvm> member : members) {
                servers.add(member.get(LIMIT_SECONDS, TimeUnit.SECONDS));
            }
        }
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
        serversAreUp.countDown();
    }

    // Loads

    private void newTable(String name) {
        Stage next = new Stage(name);
        try (Penstock store = Penstock.connect(addresses())) {
            TableSchema schema = Ddl.parseCreateTable(Ring.ddl(name, true));
            store.createTable(schema);
            List<byte[]> points = new ArrayList<>();
            for (int i = 1; i < REGIONS; i++) {
                long id = (1L << 30) / REGIONS * i * Ring.MAX_LOADS;
                points.add(Keys.encode(schema, List.of(Long.toString(id))));
            }
            store.loadTarget().preSplit(name, points);
        }
        stage = next;
    }

    /** Loads one after the other, each with its share of reads. */
    private void loadAndRead(List<Future<?>> readers) throws Exception {
        List<Ending> endings = new ArrayList<>(ENDINGS);
        for (int load = 1; load <= LOADS; load++) {
            int number = (load - 1) % ENDINGS.size();
            if (number == 0) {
                newTable("rings" + load);
                Collections.shuffle(endings, random);
            }
            Ring ring = new Ring(1 + number, ROWS + random.nextInt(ROWS));
            stage.rings().put(ring.load(), ring);
            loading = true;
            boolean done = load(stage, ring, endings.get(number));
            loading = false;
            outcomes.merge(endings.get(number) + (done ? " visible" : " absent"), 1, Integer::sum);
            boolean read = turns.tryAcquire(READS / LOADS + 1, LIMIT_SECONDS, TimeUnit.SECONDS);
            if (readers.stream().anyMatch(Future::isDone)) {
                return;
            }
            assertThat(read).as("reads go on").isTrue();
        }
    }

    /** Whether it is visible; if it was killed, as found out afterwards. */
    private boolean load(Stage into, Ring ring, Ending ending) throws Exception {
        Path file = folder.resolve("ring");
        Files.write(file, ring.text());
        int victim =
                switch (ending) {
                    case MEMBER_KILLED -> 1 + random.nextInt(SERVERS - 1);
                    case LEADER_KILLED -> 0;
                    case PUBLISHED, CANCELLED -> -1;
                };
        PublishHook hook = new PublishHook(ending, random, () -> killed(victim));
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
        if (victim >= 0) {
            awaitVisible(into);
        }
        return into.done().contains(ring.load());
    }

    /** It starts again while the loader waits for it. */
    private void killed(int victim) {
        serversAreUp = new CountDownLatch(1);
        try {
            servers.get(victim).kill();
            restart(victim);
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
                long epoch = table.epoch();
                into.done().addAll(look(table.aggregate(QUERY, epoch), epoch, into));
                return;
            } catch (PenstockException e) {
                assertThat(e.category()).as(e.getMessage()).isEqualTo(ErrorCategory.RETRY);
                stop = never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    // Readers

    /** What one reader has seen of one table. */
    private static final class Seen {
        private final Stage stage;
        private final Set<Integer> loads = new HashSet<>();
        private long epoch;

        Seen(Stage stage) {
            this.stage = stage;
        }
    }

    private Void read() throws InterruptedException {
        Seen seen = new Seen(stage);
        try {
            while (!stopped) {
                try (Cluster store = RemoteCluster.connect(addresses(), ClientSecurity.PLAIN)) {
                    while (!stopped) {
                        Stage current = stage;
                        seen = seen.stage.is(current) ? seen : new Seen(current);
                        readUntilChanged(store, seen);
                    }
                } catch (PenstockException e) {
                    assertThat(e.category()).as(e.getMessage()).isEqualTo(ErrorCategory.RETRY);
                    interruptions.incrementAndGet();
                    serversAreUp.await(LIMIT_SECONDS, TimeUnit.SECONDS);
                }
            }
        } finally {
            // Whoever waits for reads is not to wait for those of a reader that has failed.
            turns.release(READS);
        }
        return null;
    }

    /** Asks region after region, as of one epoch; a table's regions stay what they are. */
    private void readUntilChanged(Cluster store, Seen seen) {
        Stage current = seen.stage;
        List<RegionAssignment> regions = store.metadata().regions(current.table());
        while (!stopped && stage.is(current)) {
            boolean whileLoading = loading;
            Set<Integer> acknowledged = Set.copyOf(current.done());
            long epoch = store.metadata().epoch();
            Set<Integer> now = look(sum(store, regions, epoch), epoch, current);
            if (!now.containsAll(acknowledged)
                    || !now.containsAll(seen.loads)
                    || epoch < seen.epoch) {
                throw new AssertionError(
                        "seed %d, epoch %d after %d: %s, of %s acknowledged, %s seen before"
                                .formatted(SEED, epoch, seen.epoch, now, acknowledged, seen.loads));
            }
            changes.addAndGet(seen.loads.addAll(now) ? 1 : 0);
            seen.epoch = epoch;
            reads.incrementAndGet();
            during.addAndGet(whileLoading ? 1 : 0);
            turns.release();
        }
    }

    private static PartialResult sum(Cluster store, List<RegionAssignment> regions, long epoch) {
        PartialResult all = new PartialResult(QUERY.aggregates());
        for (RegionAssignment region : regions) {
            AggregateQuery part = QUERY.withRange(region.range());
            all.add(store.locate(region.server()).aggregate(region.regionId(), epoch, part));
        }
        return all;
    }

    /** The loads that are there as of an epoch, each of which must be whole. */
    private static Set<Integer> look(PartialResult found, long epoch, Stage stage) {
        Set<Integer> loads = new HashSet<>();
        found.groups()
                .forEach((group, values) -> {
                    int load = number(group);
                    Ring ring = stage.rings().get(load);
                    if (ring == null || !values.equals(whole(ring))) {
                        throw new AssertionError(
                                "seed %d, epoch %d, load %d is %s and has %s"
                                        .formatted(SEED, epoch, load, ring, values));
                    }
                    loads.add(load);
                });
        return loads;
    }

    private static int number(GroupKey group) {
        return group.values().getFirst().orElseThrow() instanceof Literal.LongLiteral(long load)
                ? (int) load
                : 0;
    }

    private static List<PartialValue> whole(Ring ring) {
        PartialValue sum = new PartialValue.ExactSum(BigInteger.valueOf(ring.sum()));
        return List.of(new PartialValue.Count(ring.rows()), sum, sum);
    }

    /** Kills or cancels when a load is about to be published. */
    private static final class PublishHook {
        private final Ending ending;
        private final long delayMicros;
        private final Runnable kill;
        private final List<Thread> killers = new ArrayList<>();

        PublishHook(Ending ending, Random random, Runnable kill) {
            this.ending = ending;
            this.delayMicros = random.nextInt(1 << (8 + random.nextInt(7)));
            this.kill = kill;
        }

        LoadTarget over(LoadTarget target) {
            return HookedTarget.before(target, this::publishing);
        }

        private void publishing() {
            switch (ending) {
                case PUBLISHED -> {}
                case CANCELLED -> throw PenstockException.conflict("cancelled by this test");
                case MEMBER_KILLED, LEADER_KILLED ->
                        killers.add(Thread.ofPlatform().start(this::killSoon));
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
