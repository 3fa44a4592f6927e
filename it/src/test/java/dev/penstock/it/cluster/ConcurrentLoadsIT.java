package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.ddl.Keys;
import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.kv.server.ServeOptions;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.RejectLimit;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Two to four loads into one table at the same time, with keys in common and policies of all kinds,
 * while others want to split its regions. What is there in the end is what the loads that succeeded
 * would have left one after the other, in some order.
 *
 * <p>{@code -Dpenstock.rounds=N} for more rounds, {@code -Dpenstock.rounds.seed=N} for others.
 */
final class ConcurrentLoadsIT {
    private static final int ROUNDS = Integer.getInteger("penstock.rounds", 25);
    private static final long SEED = Long.getLong("penstock.rounds.seed", 1);

    private static final int SERVERS = 3;
    private static final int MOST_LOADS = 4;
    private static final int KEYS = 2_000;

    @TempDir private Path folder;

    private final Map<String, Integer> outcomes = new TreeMap<>();
    private int splits;

    /**
     * @param number 0 is what was there before
     * @param keys in the order of the input, some twice if the policy allows it
     */
    private record Load(int number, DuplicatePolicy policy, List<Integer> keys) {
        /** What row number {@code row} says. */
        long value(int row) {
            return number * 1_000_000L + row;
        }

        String text() {
            StringBuilder text = new StringBuilder();
            for (int row = 0; row < keys.size(); row++) {
                text.append(keys.get(row)).append('|').append(value(row)).append('\n');
            }
            return text.toString();
        }

        /** Changes the rows as the load alone would; false if it would fail. */
        boolean into(Map<Long, Long> rows) {
            Map<Long, Long> own = new TreeMap<>();
            for (int row = 0; row < keys.size(); row++) {
                long key = keys.get(row);
                switch (policy.within()) {
                    case ERROR, KEEP_FIRST, REJECT -> own.putIfAbsent(key, value(row));
                    case KEEP_LAST -> own.put(key, value(row));
                }
            }
            switch (policy.stored()) {
                case ERROR -> {
                    if (own.keySet().stream().anyMatch(rows::containsKey)) {
                        return false;
                    }
                    rows.putAll(own);
                }
                case KEEP_EXISTING, REJECT -> own.forEach(rows::putIfAbsent);
                case REPLACE -> rows.putAll(own);
            }
            return true;
        }
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void concurrent_loads_leave_what_some_serial_order_leaves() throws Exception {
        List<RegionServerProcess> servers = new ArrayList<>();
        try {
            for (int server = 0; server < SERVERS; server++) {
                servers.add(serve(server, servers));
            }
            for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
                round(servers.getFirst().address(), seed);
            }
        } finally {
            servers.reversed().forEach(RegionServerProcess::close);
        }
        System.out.printf(
                "concurrent loads: %d rounds, seeds %d to %d, loads %s, %d rounds split between"
                        + " them; outcomes of no serial order 0%n",
                ROUNDS, SEED, SEED + ROUNDS - 1, outcomes, splits);
    }

    private RegionServerProcess serve(int number, List<RegionServerProcess> servers)
            throws Exception {
        Optional<String> leader = servers.stream().findFirst().map(RegionServerProcess::address);
        RegionServerProcess server =
                RegionServerProcess.start(
                        ServeOptions.of(folder.resolve("server-" + number), "127.0.0.1:0")
                                .withJoin(leader));
        server.joined().get(30, TimeUnit.SECONDS);
        return server;
    }

    private void round(String leader, long seed) throws Exception {
        Random random = new Random(seed);
        String name = "t" + seed;
        TableSchema schema =
                Ddl.parseCreateTable(
                        "CREATE TABLE "
                                + name
                                + " (k BIGINT NOT NULL, v BIGINT NOT NULL, PRIMARY KEY (k))");
        try (Penstock store = Penstock.connect(leader)) {
            store.createTable(schema);
            split(store, schema, random);
            List<Load> loads = loads(random);
            List<Load> before = new ArrayList<>();
            if (random.nextInt(3) == 0) {
                Load first = new Load(0, DuplicatePolicy.REPLACE, keys(random, 500, false));
                assertThat(run(store, name, first)).isEmpty();
                before.add(first);
            }
            List<Load> succeeded = together(leader, schema, loads, random, seed);
            Map<Long, Long> found = read(store.table(name));
            assertThat(serial(before, succeeded, found))
                    .as("seed %d: %s, of which %s succeeded", seed, loads(loads), loads(succeeded))
                    .isTrue();
            store.dropTable(name);
        }
    }

    private static List<String> loads(List<Load> loads) {
        return loads.stream().map(load -> load.number() + " " + load.policy()).toList();
    }

    private static List<Load> loads(Random random) {
        List<Load> loads = new ArrayList<>();
        int count = 2 + random.nextInt(MOST_LOADS - 1);
        // Few keys in common, or all.
        int size = random.nextBoolean() ? 20 : 1_000;
        for (int number = 1; number <= count; number++) {
            DuplicatePolicy[] policies = DuplicatePolicy.values();
            DuplicatePolicy policy = policies[random.nextInt(policies.length)];
            boolean unique = policy.within() == DuplicatePolicy.Within.ERROR;
            loads.add(new Load(number, policy, keys(random, 1 + random.nextInt(size), !unique)));
        }
        return loads;
    }

    private static List<Integer> keys(Random random, int count, boolean twice) {
        List<Integer> keys = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            keys.add(key);
        }
        Collections.shuffle(keys, random);
        List<Integer> some = new ArrayList<>(keys.subList(0, count));
        if (twice) {
            some.addAll(keys.subList(0, count / 3));
        }
        return some;
    }

    private static void split(Penstock store, TableSchema schema, Random random) {
        List<byte[]> points =
                random.ints(1 + random.nextInt(5), 1, KEYS)
                        .sorted()
                        .distinct()
                        .mapToObj(key -> Keys.encode(schema, List.of(Integer.toString(key))))
                        .toList();
        store.loadTarget().preSplit(schema.name(), points);
    }

    private List<Load> together(
            String leader, TableSchema schema, List<Load> loads, Random random, long seed)
            throws Exception {
        List<Load> succeeded = new ArrayList<>();
        CyclicBarrier start = new CyclicBarrier(loads.size() + 1);
        try (ExecutorService threads = Executors.newCachedThreadPool();
                Penstock splitter = Penstock.connect(leader)) {
            List<Future<Optional<PenstockException>>> ends = new ArrayList<>();
            for (Load load : loads) {
                ends.add(
                        threads.submit(() -> {
                            try (Penstock store = Penstock.connect(leader)) {
                                start.await();
                                return run(store, schema.name(), load);
                            }
                        }));
            }
            start.await();
            int regions = splitter.table(schema.name()).regions().size();
            while (!ends.stream().allMatch(Future::isDone)) {
                split(splitter, schema, random);
            }
            splits += splitter.table(schema.name()).regions().size() > regions ? 1 : 0;
            for (int i = 0; i < loads.size(); i++) {
                Optional<PenstockException> failure = ends.get(i).get();
                failure.ifPresent(e ->
                        assertThat(e.category())
                                .as("seed %d: %s", seed, e.getMessage())
                                .isIn(ErrorCategory.DATA, ErrorCategory.CONFLICT));
                String policy = loads.get(i).policy() + (failure.isEmpty() ? " done" : " refused");
                outcomes.merge(policy, 1, Integer::sum);
                if (failure.isEmpty()) {
                    succeeded.add(loads.get(i));
                }
            }
        }
        return succeeded;
    }

    private Optional<PenstockException> run(Penstock store, String table, Load load)
            throws Exception {
        Path file = folder.resolve(table + "-" + load.number());
        Files.writeString(file, load.text(), StandardCharsets.US_ASCII);
        try {
            BulkLoad.into(store.loadTarget(), table)
                    .spec(
                            LoadSpec.builder(table)
                                    .from(file.toString())
                                    .dialect(
                                            DialectOptions.DEFAULT
                                                    .withDelimiter('|')
                                                    .withHeader(false))
                                    .duplicates(load.policy())
                                    .maxRejects(RejectLimit.ofCount(1_000_000))
                                    .threads(1)
                                    .chunkBytes(4 << 10)
                                    .build())
                    .run();
            return Optional.empty();
        } catch (PenstockException e) {
            return Optional.of(e);
        } finally {
            Files.delete(file);
        }
    }

    private static Map<Long, Long> read(Table table) {
        Map<Long, Long> rows = new TreeMap<>();
        try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
            ColumnBatch batch = scan.newBatch();
            while (scan.next(batch)) {
                for (int row = 0; row < batch.rowCount(); row++) {
                    rows.put(batch.longs(0).values()[row], batch.longs(1).values()[row]);
                }
            }
        }
        return rows;
    }

    /** Whether some order of the loads, after those that were there before, leaves these rows. */
    private static boolean serial(List<Load> order, List<Load> rest, Map<Long, Long> found) {
        if (rest.isEmpty()) {
            Map<Long, Long> rows = new TreeMap<>();
            return order.stream().allMatch(load -> load.into(rows)) && rows.equals(found);
        }
        for (Load next : rest) {
            List<Load> longer = new ArrayList<>(order);
            longer.add(next);
            List<Load> others = new ArrayList<>(rest);
            others.remove(next);
            if (serial(longer, others, found)) {
                return true;
            }
        }
        return false;
    }
}
