package dev.penstock.kv.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialValue;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;
import dev.penstock.kv.TableChecksum;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.ServerStatus;
import dev.penstock.kv.client.load.StoreLoadTarget;
import dev.penstock.kv.client.load.StoreLoadTargetProvider;
import dev.penstock.kv.ddl.Conditions;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.segment.SegmentChecksum;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;
import dev.penstock.target.RegionReceipt;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

@Timeout(120)
class ClusterTest {
    private static final int CHUNKS = 24;
    private static final long ROWS = (long) CHUNKS * Orders.CHUNK_ROWS;

    @TempDir private Path folder = Path.of("unset");

    private static long load(LoadTarget target, int from, int to) throws Exception {
        try (LoadSession session = target.begin(Orders.request(), ack -> {})) {
            Orders.send(session, from, to, CHUNKS, 4);
            session.finish(receipt -> {});
            return session.publish("");
        }
    }

    @Test
    void aLoadOverThreeServersIsReadBackEverywhere() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 3);
                Penstock store = cluster.connect()) {
            store.createTable(Orders.SCHEMA);
            LoadTarget target = StoreLoadTarget.of(store);
            assertThat(target.serverCount()).isEqualTo(3);
            RegionMap regions = target.preSplit("orders", Orders.splitPoints(ROWS, 6));
            assertThat(regions.size()).isEqualTo(6);
            assertThat(regions.regions().stream().map(RegionInfo::server).distinct())
                    .containsExactlyInAnyOrder(
                            cluster.address(0), cluster.address(1), cluster.address(2));
            ConcurrentLinkedQueue<FragmentAck> acks = new ConcurrentLinkedQueue<>();
            try (LoadSession session = target.begin(Orders.request(), acks::add)) {
                Orders.send(session, 0, CHUNKS, CHUNKS, 4);
                assertThat(acks.stream().mapToLong(FragmentAck::rowsAccepted).sum())
                        .isEqualTo(ROWS);
                assertThat(store.table("orders").count()).isZero();
                ConcurrentLinkedQueue<RegionReceipt> told = new ConcurrentLinkedQueue<>();
                List<RegionReceipt> receipts = session.finish(told::add);
                assertThat(told).containsExactlyInAnyOrderElementsOf(receipts);
                assertThat(receipts).hasSize(6);
                assertThat(receipts.stream().mapToLong(RegionReceipt::rowCount).sum())
                        .isEqualTo(ROWS);
                assertThat(store.table("orders").count()).isZero();
                long epoch = session.publish("");
                assertThat(store.table("orders").epoch()).isEqualTo(epoch);
            }
            TestCluster.assertHoldsExactly(store.table("orders"), ROWS);
            assertThat(target.rowCount("orders")).isEqualTo(ROWS);
            try (Penstock other = Penstock.connect(cluster.address(2))) {
                TestCluster.assertHoldsExactly(other.table("ORDERS"), ROWS);
            }
            ClusterStatus status = store.status();
            assertThat(status.servers()).hasSize(3).allMatch(ServerStatus::reachable);
            assertThat(status.runningLoads()).isEmpty();
        }
    }

    @Test
    void readsTakeRangesConditionsColumnsAndLimits() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 2);
                Penstock store = cluster.connect()) {
            store.createTable(Orders.SCHEMA);
            LoadTarget target = store.loadTarget();
            target.preSplit("orders", Orders.splitPoints(ROWS, 4));
            load(target, 0, CHUNKS);
            Table table = store.table("orders");
            KeyRange range = new KeyRange(Orders.key(5_900), Orders.key(12_100));
            assertThat(table.count(range, Conditions.parse("id >= 6000", table.schema())))
                    .isEqualTo(6_100);
            long expensive =
                    LongStream.range(0, ROWS).filter(id -> Orders.price(id) > 5000).count();
            assertThat(table.count(KeyRange.ALL, Conditions.parse("price > 50", table.schema())))
                    .isEqualTo(expensive);
            AggregateQuery sums =
                    new AggregateQuery(
                            range,
                            Conditions.parse("price > 50", table.schema()),
                            List.of(),
                            List.of(Aggregate.sum(2), Aggregate.countRows(), Aggregate.max(0)));
            long[] ids =
                    LongStream.range(5_900, 12_100).filter(id -> Orders.price(id) > 5000).toArray();
            assertThat(table.aggregate(sums).single())
                    .containsExactly(
                            new PartialValue.ExactSum(
                                    BigInteger.valueOf(
                                            Arrays.stream(ids).map(Orders::price).sum())),
                            new PartialValue.Count(ids.length),
                            new PartialValue.LongValue(ids[ids.length - 1]));
            ScanSpec spec =
                    ScanSpec.all(table.schema())
                            .withRange(range)
                            .withColumns(table.schema(), List.of("price", "id"))
                            .withLimit(500);
            long next = 5_900;
            try (Scan scan = table.scan(spec)) {
                ColumnBatch batch = scan.newBatch();
                while (scan.next(batch)) {
                    for (int row = 0; row < batch.rowCount(); row++) {
                        assertThat(batch.longs(1).values()[row]).isEqualTo(next);
                        assertThat(batch.longs(0).values()[row]).isEqualTo(Orders.price(next++));
                    }
                }
            }
            assertThat(next).isEqualTo(6_400);
            SegmentChecksum expected = new SegmentChecksum(Orders.SCHEMA);
            expected.add(Orders.rows(LongStream.range(0, ROWS).toArray()));
            TableChecksum checksum = table.checksum();
            assertThat(checksum.rowCount()).isEqualTo(ROWS);
            assertThat(checksum.columnSums()).isEqualTo(expected.columns());
        }
    }

    /**
     * Each load has rows on every server. Whoever has seen one of them, or knows that the load is
     * published, finds all of them, whichever server is asked and whoever asks.
     */
    @Test
    void readsByKeyNeverGoBack() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 3);
                Penstock writer = cluster.connect();
                Penstock reader = cluster.connect();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            writer.createTable(Orders.SCHEMA);
            LoadTarget target = StoreLoadTarget.of(writer);
            target.preSplit("orders", Orders.splitPoints(ROWS, 3));
            AtomicInteger published = new AtomicInteger();
            List<Future<Integer>> readers = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int seed = thread;
                readers.add(
                        threads.submit(
                                () -> readForwards(reader.table("orders"), published, seed)));
            }
            for (int chunk = 0; chunk < CHUNKS; chunk++) {
                load(target, chunk, chunk + 1);
                published.set(chunk + 1);
            }
            for (Future<Integer> future : readers) {
                assertThat(future.get()).isEqualTo(CHUNKS);
            }
        }
    }

    /** The loads that were seen before a read are seen by it. */
    private static int readForwards(Table table, AtomicInteger published, int seed) {
        Random random = new Random(seed);
        int seen = 0;
        while (seen < CHUNKS) {
            int known = Math.max(seen, published.get());
            if (known > 0) {
                assertThat(isVisible(table, random, known - 1)).isTrue();
            }
            seen = known < CHUNKS && isVisible(table, random, known) ? known + 1 : known;
        }
        return seen;
    }

    private static List<byte[]> keys(long... ids) {
        return LongStream.of(ids).mapToObj(Orders::key).toList();
    }

    private static boolean isVisible(Table table, Random random, int chunk) {
        long id = (long) random.nextInt(Orders.CHUNK_ROWS) * CHUNKS + chunk;
        return table.get(Orders.key(id)).isPresent();
    }

    @Test
    void aScanKeepsItsEpochWhileLoadsArePublished() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 2);
                Penstock store = cluster.connect()) {
            store.createTable(Orders.SCHEMA);
            LoadTarget target = store.loadTarget();
            target.preSplit("orders", Orders.splitPoints(ROWS, 4));
            load(target, 0, 12);
            Table table = store.table("orders");
            long before = table.epoch();
            try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
                ColumnBatch batch = scan.newBatch();
                assertThat(scan.next(batch)).isTrue();
                long rows = batch.rowCount();
                load(target, 12, CHUNKS);
                while (scan.next(batch)) {
                    rows += batch.rowCount();
                }
                assertThat(rows).isEqualTo(ROWS / 2);
            }
            long old = 0;
            try (Scan scan = table.scan(ScanSpec.all(table.schema()).withEpoch(before))) {
                ColumnBatch batch = scan.newBatch();
                while (scan.next(batch)) {
                    old += batch.rowCount();
                }
            }
            assertThat(old).isEqualTo(ROWS / 2);
            TestCluster.assertHoldsExactly(table, ROWS);
        }
    }

    @Test
    void anAbortedLoadLeavesNothing() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 3);
                Penstock store = cluster.connect()) {
            store.createTable(Orders.SCHEMA);
            LoadTarget target = store.loadTarget();
            target.preSplit("orders", Orders.splitPoints(ROWS, 6));
            long before = files(cluster);
            try (LoadSession aborted = target.begin(Orders.request(), ack -> {})) {
                Orders.send(aborted, 0, CHUNKS, CHUNKS, 2);
                aborted.finish(receipt -> {});
                aborted.abort();
                assertThatThrownBy(() -> Orders.send(aborted, 0, 1, CHUNKS, 1))
                        .rootCause()
                        .isInstanceOf(PenstockException.class);
            }
            try (LoadSession closed = target.begin(Orders.request(), ack -> {})) {
                Orders.send(closed, 0, CHUNKS, CHUNKS, 2);
            }
            assertThat(store.table("orders").count()).isZero();
            assertThat(store.status().runningLoads()).isEmpty();
            assertThat(files(cluster)).isEqualTo(before);
            load(target, 0, CHUNKS);
            TestCluster.assertHoldsExactly(store.table("orders"), ROWS);
        }
    }

    private long files(TestCluster cluster) throws IOException {
        long count = 0;
        for (int i = 0; i < 3; i++) {
            try (Stream<Path> all = Files.walk(cluster.folder(i))) {
                count += all.filter(Files::isRegularFile).count();
            }
        }
        return count;
    }

    @Test
    void serversRestartInAnyOrder() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 3)) {
            try (Penstock store = cluster.connect()) {
                store.createTable(Orders.SCHEMA);
                store.loadTarget().preSplit("orders", Orders.splitPoints(ROWS, 6));
                load(store.loadTarget(), 0, CHUNKS);
            }
            for (int[] order : new int[][] {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}}) {
                cluster.stop(0);
                cluster.stop(1);
                cluster.stop(2);
                for (int number : order) {
                    cluster.start(number);
                }
                for (int number : order) {
                    cluster.awaitJoined(number);
                }
                try (Penstock store = cluster.connect()) {
                    TestCluster.assertHoldsExactly(store.table("orders"), ROWS);
                }
            }
        }
    }

    @Test
    void aClientOutlivesARestartOfTheServers() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 2);
                Penstock store = cluster.connect()) {
            store.createTable(Orders.SCHEMA);
            store.loadTarget().preSplit("orders", Orders.splitPoints(ROWS, 2));
            load(store.loadTarget(), 0, CHUNKS);
            Table table = store.table("orders");
            cluster.stop(1);
            assertThatThrownBy(table::count)
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.RETRY))
                    .hasMessageContaining(cluster.address(1));
            cluster.stop(0);
            cluster.start(1);
            cluster.start(0);
            cluster.awaitJoined(0);
            cluster.awaitJoined(1);
            TestCluster.assertHoldsExactly(table, ROWS);
        }
    }

    @Test
    void aMemberWaitsForItsLeader() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 2)) {
            cluster.stop(0);
            cluster.stop(1);
            cluster.start(1);
            assertThat(cluster.server(1).joined()).isNotDone();
            assertThat(cluster.log)
                    .anyMatch(line -> line.startsWith("1: this server cannot join yet"));
            cluster.start(0);
            cluster.awaitJoined(1);
            assertThat(cluster.log).anyMatch(line -> line.equals("1: this server has joined"));
        }
    }

    @Test
    void aServerOfAnotherClusterIsNotTakenIn() throws Exception {
        try (TestCluster one = new TestCluster(folder.resolve("one"), 2);
                TestCluster two = new TestCluster(folder.resolve("two"), 1)) {
            try (Penstock store = one.connect()) {
                store.createTable(Orders.SCHEMA);
                store.loadTarget().preSplit("orders", Orders.splitPoints(ROWS, 4));
            }
            one.stop(1);
            ServeOptions stray =
                    ServeOptions.of(one.folder(1), "127.0.0.1:0")
                            .withJoin(Optional.of(two.address(0)));
            assertThatThrownBy(() -> RegionServerProcess.start(stray))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.CONFLICT));
        }
    }

    @Test
    void plainTextStaysOnThisMachineUnlessAllowed() {
        ServeOptions open = ServeOptions.of(folder.resolve("a"), "0.0.0.0:0");
        assertThatThrownBy(() -> RegionServerProcess.start(open))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageContaining("--insecure");
        try (RegionServerProcess server = RegionServerProcess.start(open.withInsecure(true))) {
            assertThat(server.address()).doesNotStartWith("0.0.0.0");
        }
    }

    @Test
    void takenPortsAndLockedFoldersAreNamed() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 1)) {
            ServeOptions samePort = ServeOptions.of(folder.resolve("other"), cluster.address(0));
            assertThatThrownBy(() -> RegionServerProcess.start(samePort))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("cannot listen on " + cluster.address(0));
            ServeOptions sameFolder = ServeOptions.of(cluster.folder(0), "127.0.0.1:0");
            assertThatThrownBy(() -> RegionServerProcess.start(sameFolder))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.CONFLICT));
        }
        RegionServerProcess.start(ServeOptions.of(folder.resolve("other"), "127.0.0.1:0")).close();
    }

    @Test
    void singleRowsGoToTheirRegions() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 3);
                Penstock store = cluster.connect()) {
            store.createTable(Orders.SCHEMA);
            Table table = store.table("orders");
            store.loadTarget().preSplit("orders", Orders.splitPoints(20_000, 5));
            table.put(Orders.rows(LongStream.range(0, 20_000).toArray()));
            TestCluster.assertHoldsExactly(table, 20_000);
            table.delete(LongStream.range(10_000, 20_000).mapToObj(Orders::key).toList());
            TestCluster.assertHoldsExactly(table, 10_000);
            table.delete(List.of(Orders.key(77_777)));
            assertThat(store.dropTable("orders")).isTrue();
            assertThat(store.dropTable("orders")).isFalse();
            assertThatThrownBy(() -> store.table("orders"))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("no table orders");
        }
    }

    @Test
    void aClientWithOldRoutesFindsTheNewRegions() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 3);
                Penstock old = cluster.connect();
                Penstock other = cluster.connect()) {
            old.createTable(Orders.SCHEMA);
            Table table = old.table("orders");
            assertThat(table.get(Orders.key(5))).isEmpty();
            other.loadTarget().preSplit("orders", Orders.splitPoints(6000, 6));
            table.put(Orders.rows(LongStream.range(0, 3000).toArray()));
            TestCluster.assertHoldsExactly(table, 3000);
            Table stale = other.table("orders");
            assertThat(stale.get(Orders.key(5))).isPresent();
            assertThat(stale.firstPresent(List.of())).isEqualTo(-1);
            assertThat(stale.firstPresent(keys(9_000, 7_000, 2_999, 4, 5))).isEqualTo(2);
            assertThat(stale.firstPresent(keys(9_000, 3_000))).isEqualTo(-1);
            stale.delete(List.of(Orders.key(4)));
            assertThat(stale.firstPresent(keys(4, 5))).isEqualTo(1);
        }
    }

    @Test
    void whoKnowsATableThatWasDroppedDoesNotTakeAnotherOfItsNameForIt() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 3);
                Penstock old = cluster.connect();
                Penstock other = cluster.connect()) {
            old.createTable(Orders.SCHEMA);
            Table before = old.table("orders");
            Table stale = other.table("orders");
            stale.put(Orders.rows(LongStream.range(0, 900).toArray()));
            TestCluster.assertHoldsExactly(before, 900);
            assertThat(old.dropTable("orders")).isTrue();
            old.createTable(Orders.SCHEMA);
            old.loadTarget().preSplit("orders", Orders.splitPoints(900, 3));
            for (Table gone : List.of(before, stale)) {
                assertOfAnotherTable(() -> gone.put(Orders.rows(1)));
                assertOfAnotherTable(() -> gone.insert(Orders.rows(1)));
                assertOfAnotherTable(() -> gone.delete(keys(1)));
                assertOfAnotherTable(() -> gone.get(Orders.key(1)));
                assertOfAnotherTable(() -> gone.firstPresent(keys(1)));
                assertOfAnotherTable(gone::count);
                assertOfAnotherTable(gone::checksum);
                assertOfAnotherTable(gone::regions);
            }
            for (Penstock store : List.of(old, other)) {
                Table table = store.table("orders");
                TestCluster.assertHoldsExactly(table, 0);
                table.put(Orders.rows(LongStream.range(0, 900).toArray()));
                TestCluster.assertHoldsExactly(table, 900);
                table.delete(LongStream.range(0, 900).mapToObj(Orders::key).toList());
            }
        }
    }

    private static void assertOfAnotherTable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("table orders was dropped, and another one of that name")
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.CONFLICT);
    }

    @Test
    void rowsOfManyRegionsAreInsertedTogetherOrNotAtAll() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 3);
                Penstock one = cluster.connect();
                Penstock other = cluster.connect()) {
            one.createTable(Orders.SCHEMA);
            Table table = one.table("orders");
            assertThat(table.get(Orders.key(5))).isEmpty();
            other.loadTarget().preSplit("orders", Orders.splitPoints(6000, 6));
            assertThat(table.insert(Orders.rows(5, 4000, 20))).isEqualTo(-1);
            assertThat(table.insert(Orders.rows(6, 5000, 4000, 7))).isEqualTo(2);
            assertThat(table.insert(Orders.rows(6, 5000, 6))).isEqualTo(2);
            assertThat(table.insert(Orders.rows(6, 20))).isEqualTo(1);
            assertThat(other.table("orders").count()).isEqualTo(3);
            assertThat(table.insert(Orders.rows())).isEqualTo(-1);
            assertThat(table.insert(Orders.rows(LongStream.range(21, 3000).toArray())))
                    .isEqualTo(-1);
            assertThat(other.table("orders").count()).isEqualTo(2982);
        }
    }

    @Test
    void longValuesTravel() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 2);
                Penstock store = cluster.connect()) {
            store.createTable(
                    Ddl.parseCreateTable("CREATE TABLE big (id INT PRIMARY KEY, text VARCHAR)"));
            Table table = store.table("big");
            ColumnBatch rows = ColumnBatch.forColumns(table.schema().columns(), 10);
            for (int row = 0; row < 10; row++) {
                rows.longs(0).values()[row] = row;
                byte[] text = new byte[5_000_000 + row];
                java.util.Arrays.fill(text, (byte) 'x');
                rows.bytes(1).append(row, text, 0, text.length);
            }
            rows.setRowCount(10);
            table.put(rows);
            assertThat(table.count()).isEqualTo(10);
            byte[] key = dev.penstock.kv.ddl.Keys.encode(table.schema(), List.of("7"));
            assertThat(table.get(key).orElseThrow().bytes(1).get(0)).hasSize(5_000_007);
            int seen = 0;
            try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
                ColumnBatch batch = scan.newBatch();
                while (scan.next(batch)) {
                    for (int row = 0; row < batch.rowCount(); row++) {
                        assertThat(batch.bytes(1).get(row)).hasSize(5_000_000 + seen++);
                    }
                }
            }
            assertThat(seen).isEqualTo(10);
        }
    }

    @Test
    void rowsWithoutAKeyGetDistinctIds() throws Exception {
        try (Penstock store = Penstock.open(folder.resolve("embedded"))) {
            store.createTable(Ddl.parseCreateTable("CREATE TABLE notes (text VARCHAR(10))"));
            for (int i = 0; i < 3; i++) {
                Table table = store.table("notes");
                ColumnBatch rows =
                        ColumnBatch.forColumns(table.schema().columns().subList(0, 1), 4);
                for (int row = 0; row < 4; row++) {
                    rows.bytes(0).append(row, new byte[] {'a'}, 0, 1);
                }
                rows.setRowCount(4);
                table.put(rows);
                table.put(rows);
            }
            assertThat(store.table("notes").count()).isEqualTo(24);
            LoadRequest load =
                    LoadRequest.intoExisting(
                            "notes",
                            "",
                            DuplicatePolicy.ERROR,
                            Dialect.csv(),
                            List.of(0),
                            List.of("test.csv"),
                            false);
            try (LoadSession second = store.loadTarget().begin(load, ack -> {})) {
                assertThat(second.loadOrdinal()).isEqualTo(2);
            }
        }
    }

    @Test
    void otherProcessesAttachToALoadIntoAFolder() throws Exception {
        try (Penstock store = Penstock.open(folder.resolve("embedded"))) {
            store.createTable(Orders.SCHEMA);
            LoadTarget target = store.loadTarget();
            target.preSplit("orders", Orders.splitPoints(ROWS, 3));
            LoadTicket ticket;
            try (LoadSession driver = target.begin(Orders.request(), ack -> {})) {
                ticket = driver.invite();
                assertThat(ticket.loadOrdinal()).isEqualTo(driver.loadOrdinal());
                ConcurrentLinkedQueue<FragmentAck> acks = new ConcurrentLinkedQueue<>();
                try (LoadTarget attached =
                                new StoreLoadTargetProvider()
                                        .open(ticket.address(), ticket.access());
                        LoadSession worker = attached.attach(ticket, acks::add)) {
                    assertThat(worker.regions().regions().stream().map(RegionInfo::regionId))
                            .containsExactlyElementsOf(
                                    driver.regions().regions().stream()
                                            .map(RegionInfo::regionId)
                                            .toList());
                    Orders.send(worker, 0, 12, CHUNKS, 2);
                    assertThat(worker.transferTimes().totalNanos()).isPositive();
                }
                assertThat(acks).hasSize(12 * 3);
                Orders.send(driver, 12, CHUNKS, CHUNKS, 2);
                driver.finish(receipt -> {});
                driver.publish("");
            }
            TestCluster.assertHoldsExactly(store.table("orders"), ROWS);
            assertThatThrownBy(() ->
                            new StoreLoadTargetProvider().open(ticket.address(), ticket.access()))
                    .as("nobody listens any more")
                    .isInstanceOf(PenstockException.class);
        }
        try (Penstock store = Penstock.open(folder.resolve("embedded"))) {
            TestCluster.assertHoldsExactly(store.table("orders"), ROWS);
        }
    }

    @Test
    void theTargetIsFoundByItsAddress() {
        List<dev.penstock.target.LoadTargetProvider> providers =
                ServiceLoader.load(dev.penstock.target.LoadTargetProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(provider -> provider.accepts("dir:" + folder))
                        .toList();
        assertThat(providers).hasSize(1);
        try (LoadTarget target = providers.getFirst().open("dir:" + folder.resolve("new"))) {
            assertThat(target.table("nothing")).isEmpty();
        }
    }

    @Test
    void aFragmentForAnEndedLoadIsRefused() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 2);
                Penstock store = cluster.connect()) {
            store.createTable(Orders.SCHEMA);
            LoadTarget target = store.loadTarget();
            target.preSplit("orders", Orders.splitPoints(ROWS, 2));
            try (LoadSession session = target.begin(Orders.request(), ack -> {});
                    LoadSession other =
                            target.attach(
                                    new LoadTicket("", session.loadId(), session.loadOrdinal()),
                                    ack -> {})) {
                session.abort();
                assertThatThrownBy(() -> Orders.send(other, 0, 1, CHUNKS, 1))
                        .satisfies(e -> {
                            Throwable root = e;
                            while (root.getCause() != null) {
                                root = root.getCause();
                            }
                            assertThat(root.getMessage()).contains(session.loadId());
                        });
            }
        }
    }
}
