package dev.penstock.kv.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Servers in this JVM that talk through sockets; number 0 leads. */
final class TestCluster implements AutoCloseable {
    final List<String> log = new CopyOnWriteArrayList<>();
    private final Path folder;
    private final List<String> addresses = new ArrayList<>();
    private final List<Optional<RegionServerProcess>> servers = new ArrayList<>();

    TestCluster(Path folder, int count) throws Exception {
        this.folder = folder;
        for (int i = 0; i < count; i++) {
            addresses.add("127.0.0.1:0");
            servers.add(Optional.empty());
        }
        for (int i = 0; i < count; i++) {
            start(i);
            addresses.set(i, server(i).address());
            awaitJoined(i);
        }
    }

    void start(int number) {
        ServeOptions options =
                ServeOptions.of(folder.resolve("server" + number), addresses.get(number))
                        .withJoin(number == 0 ? Optional.empty() : Optional.of(addresses.get(0)))
                        .withLog(line -> log.add(number + ": " + line));
        servers.set(number, Optional.of(RegionServerProcess.start(options)));
    }

    /** Starts a server with a folder of its own where another has listened. */
    void usurp(int number, String folderName) throws Exception {
        ServeOptions options =
                ServeOptions.of(folder.resolve(folderName), addresses.get(number))
                        .withJoin(Optional.of(addresses.get(0)));
        servers.set(number, Optional.of(RegionServerProcess.start(options)));
        awaitJoined(number);
    }

    void stop(int number) {
        servers.set(number, servers.get(number).flatMap(TestCluster::closed));
    }

    private static Optional<RegionServerProcess> closed(RegionServerProcess server) {
        server.close();
        return Optional.empty();
    }

    void awaitJoined(int number) throws Exception {
        server(number).joined().get(30, TimeUnit.SECONDS);
    }

    RegionServerProcess server(int number) {
        return servers.get(number).orElseThrow();
    }

    String address(int number) {
        return addresses.get(number);
    }

    Path folder(int number) {
        return folder.resolve("server" + number);
    }

    Penstock connect() {
        return Penstock.connect(String.join(",", addresses));
    }

    @Override
    public void close() {
        for (int i = servers.size() - 1; i >= 0; i--) {
            stop(i);
        }
    }

    /** Checks that the table holds exactly the rows with ids below {@code count}. */
    static void assertHoldsExactly(Table table, long count) {
        assertThat(table.count()).isEqualTo(count);
        long next = 0;
        try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
            ColumnBatch batch = scan.newBatch();
            while (scan.next(batch)) {
                for (int row = 0; row < batch.rowCount(); row++) {
                    assertThat(batch.longs(0).values()[row]).isEqualTo(next);
                    assertThat(
                                    new String(
                                            batch.bytes(1).get(row),
                                            java.nio.charset.StandardCharsets.UTF_8))
                            .isEqualTo(Orders.name(next));
                    assertThat(batch.longs(2).values()[row]).isEqualTo(Orders.price(next));
                    next++;
                }
            }
        }
        assertThat(next).isEqualTo(count);
        for (long id = 0; id < count; id += 1 + count / 50) {
            ColumnBatch row = table.get(Orders.key(id)).orElseThrow();
            assertThat(row.longs(2).values()[0]).isEqualTo(Orders.price(id));
        }
        assertThat(table.get(Orders.key(count))).isEmpty();
    }
}
