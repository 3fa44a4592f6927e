package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.ddl.Keys;
import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.kv.server.ServeOptions;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadSpec;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Many small loads over ways that lose, double, delay and reorder replies after the server has done
 * what was asked, and bring requests a second time, even after their load has ended. What a load
 * said it did is there, once; a load that failed left nothing; and what is sent again is not stored
 * again.
 *
 * <p>{@code -Dpenstock.retries=N} for more repetitions, {@code -Dpenstock.retries.seed=N} for
 * others.
 */
final class LostAckIT {
    private static final int RETRIES = Integer.getInteger("penstock.retries", 100);
    private static final long SEED = Long.getLong("penstock.retries.seed", 1);

    private static final int SERVERS = 3;
    private static final int REGIONS = 6;
    private static final int LOADERS = 6;
    private static final int ROWS = 3_000;

    /** One of so many requests that change something meets a fault. */
    private static final int ONE_IN = 12;

    private static final int LOADS_PER_TABLE = 30;
    private static final int ATTEMPTS = 60;

    @TempDir private Path folder;

    private final List<RegionServerProcess> servers = new ArrayList<>();
    private final Map<String, FaultyLink> links = new LinkedHashMap<>();
    private final AtomicInteger loads = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final Map<String, AtomicInteger> reasons = new TreeMap<>();
    private final AtomicInteger tables = new AtomicInteger();

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void nothing_is_lost_or_doubled_whatever_becomes_of_replies() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(LOADERS)) {
            for (int server = 0; server < SERVERS; server++) {
                serve(server);
            }
            List<Future<?>> done = new ArrayList<>();
            for (int loader = 0; loader < LOADERS; loader++) {
                boolean keyed = loader % 2 == 0;
                done.add(
                        threads.submit(() -> {
                            while (retries() < RETRIES) {
                                fillTable(keyed);
                            }
                            return null;
                        }));
            }
            for (Future<?> loader : done) {
                loader.get();
            }
        } finally {
            links.values().forEach(FaultyLink::close);
            servers.reversed().forEach(RegionServerProcess::close);
        }
        report();
    }

    private void report() {
        StringBuilder faults = new StringBuilder();
        for (FaultyLink.Fault fault : FaultyLink.Fault.values()) {
            int count = links.values().stream().mapToInt(link -> link.count(fault)).sum();
            faults.append(' ').append(fault).append(' ').append(count);
        }
        System.out.printf(
                "lost acknowledgements: %d requests came again, seed %d, %d loads, %d attempts"
                        + " failed and were repeated %s; rows lost 0, doubled 0; faults:%s%n",
                retries(), SEED, loads.get(), failures.get(), reasons, faults);
    }

    private int retries() {
        return links.values().stream().mapToInt(FaultyLink::cameAgain).sum();
    }

    private void serve(int number) throws Exception {
        ServeOptions options =
                ServeOptions.of(folder.resolve("server-" + number), "127.0.0.1:0")
                        .withJoin(servers.stream().findFirst().map(RegionServerProcess::address));
        RegionServerProcess server = RegionServerProcess.start(options);
        servers.add(server);
        server.joined().get(30, TimeUnit.SECONDS);
        links.put(server.address(), new FaultyLink(server.address(), SEED * 31 + number));
    }

    private LinkedCluster connect() {
        Map<String, String> addresses = new TreeMap<>();
        links.forEach((server, link) -> addresses.put(server, link.address()));
        return new LinkedCluster(servers.getFirst().address(), addresses);
    }

    /** Loads into a table of its own, one load after the other, and looks at it after each. */
    private void fillTable(boolean keyed) throws Exception {
        String name = "rings" + tables.incrementAndGet();
        TableSchema schema = Ddl.parseCreateTable(Ring.ddl(name, keyed));
        Map<Integer, Integer> sizes = new TreeMap<>();
        Map<Integer, Integer> expected = new TreeMap<>();
        try (Penstock direct = Penstock.connect(servers.getFirst().address())) {
            direct.createTable(schema);
            if (keyed) {
                direct.loadTarget().preSplit(name, points(schema));
            }
            links.values().forEach(link -> link.disturb(ONE_IN));
            for (int load = 1; load <= LOADS_PER_TABLE && retries() < RETRIES; load++) {
                Ring ring = new Ring(load, ROWS + load);
                sizes.put(load, ring.rows());
                loadOnce(direct, schema, ring, sizes, expected);
                expected.put(load, ring.rows());
                loads.incrementAndGet();
            }
            Ring.Walk walk = Ring.walk(direct.table(name), sizes);
            assertThat(walk.whole()).as("seed %d: %s", SEED, walk).isTrue();
            assertThat(walk.rowsByLoad()).as("seed %d", SEED).isEqualTo(expected);
            direct.dropTable(name);
        }
    }

    private static List<byte[]> points(TableSchema schema) {
        List<byte[]> points = new ArrayList<>();
        for (int i = 1; i < REGIONS; i++) {
            long id = (1L << 30) / REGIONS * i * Ring.MAX_LOADS;
            points.add(Keys.encode(schema, List.of(Long.toString(id))));
        }
        return points;
    }

    /** Repeats a labelled load until it says that it is done. */
    private void loadOnce(
            Penstock direct,
            TableSchema schema,
            Ring ring,
            Map<Integer, Integer> sizes,
            Map<Integer, Integer> before)
            throws Exception {
        Path file = folder.resolve(schema.name() + "-" + ring.load());
        Files.write(file, ring.text());
        for (int attempt = 1; ; attempt++) {
            try (Penstock store = Penstock.of(connect())) {
                BulkLoad.into(store.loadTarget(), schema.name())
                        .spec(spec(file, schema, ring))
                        .run();
                break;
            } catch (PenstockException e) {
                assertThat(attempt).as(e.getMessage()).isLessThan(ATTEMPTS);
                failed(direct, schema, e, sizes, before);
            }
        }
        Files.delete(file);
    }

    private static LoadSpec spec(Path file, TableSchema schema, Ring ring) throws IOException {
        return LoadSpec.builder(schema.name())
                .from(file.toString())
                .schema(schema)
                .dialect(DialectOptions.DEFAULT.withDelimiter('|').withHeader(false))
                .label("ring " + ring.load())
                .threads(2)
                .chunkBytes(8 << 10)
                .build();
    }

    /** A load that failed must have left nothing, unless it says that this is not known. */
    private void failed(
            Penstock direct,
            TableSchema schema,
            PenstockException e,
            Map<Integer, Integer> sizes,
            Map<Integer, Integer> before) {
        failures.incrementAndGet();
        String message = String.valueOf(e.getMessage());
        synchronized (reasons) {
            reasons.computeIfAbsent(kind(message), key -> new AtomicInteger()).incrementAndGet();
        }
        assertThat(e.category())
                .as("seed %d: %s", SEED, message)
                .isIn(ErrorCategory.RETRY, ErrorCategory.CONFLICT);
        Ring.Walk walk = Ring.walk(direct.table(schema.name()), sizes);
        assertThat(walk.whole()).as("seed %d: %s, %s", SEED, message, walk).isTrue();
        if (!message.contains("Nobody knows")) {
            assertThat(walk.rowsByLoad()).as("seed %d: %s", SEED, message).isEqualTo(before);
        }
        if (message.contains("is running")) {
            // The leader never heard of the end of the attempt before, and waits for 15 s.
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
    }

    /** The message without what differs from time to time. */
    private static String kind(String message) {
        return message.replaceAll("[0-9a-f]{8}-[0-9a-f-]+", "ID")
                .replaceAll("[0-9.]+:[0-9]+", "ADDRESS")
                .replaceAll("'[^']*'", "LABEL")
                .replaceAll("rings[0-9]+", "TABLE")
                .replaceAll("region [0-9]+", "region N");
    }
}
