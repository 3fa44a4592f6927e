package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.compact.Compactor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.predicate.Predicate;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

class RegionServerNodeTest {
    private static final NodeOptions OPTIONS =
            NodeOptions.defaults().withCompactionPeriod(Duration.ZERO);

    @TempDir Path folder;

    private RegionServerNode embedded() {
        RegionServerNode node = RegionServerNode.openLeader(folder, OPTIONS, null);
        try {
            node.start(ServerDescriptor.EMBEDDED);
            return node;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    @Test
    void anEmbeddedStoreKeepsItsRowsAndItsIdentity() {
        String serverId;
        long region;
        try (RegionServerNode node = embedded()) {
            serverId = node.serverId();
            node.metadata().createTable(TestTable.SCHEMA);
            region = node.metadata().regions("items").getFirst().regionId();
            node.regionService().put(region, TestTable.batch(TestTable.items(0, 10, 0)), 0);
        }
        try (RegionServerNode node = embedded()) {
            assertThat(node.serverId()).isEqualTo(serverId);
            assertThat(node.regionService().count(region, 0, KeyRange.ALL, Predicate.ALWAYS))
                    .isEqualTo(10);
            assertThat(node.metadata().status().servers().getFirst().regions()).hasSize(1);
        }
    }

    @Test
    void aSecondOpenerIsToldWhoHoldsTheFolder() {
        try (RegionServerNode node = embedded()) {
            assertThat(node.serverId()).isNotEmpty();
            assertThatThrownBy(() -> RegionServerNode.openLeader(folder, OPTIONS, null))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(folder.toString())
                    .hasMessageContaining("process " + ProcessHandle.current().pid())
                    .extracting(e -> ((PenstockException) e).category())
                    .isEqualTo(ErrorCategory.CONFLICT);
        }
        embedded().close();
    }

    @Test
    void aServerAnswersOnlyBetweenStartAndClose() {
        RegionServerNode node = RegionServerNode.openLeader(folder, OPTIONS, null);
        assertThatThrownBy(() -> node.regionService().status())
                .isInstanceOf(PenstockException.class)
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.RETRY);
        node.start(ServerDescriptor.EMBEDDED);
        assertThat(node.regionService().status().regions()).isEmpty();
        node.close();
        assertThatThrownBy(() -> node.regionService().status())
                .isInstanceOf(PenstockException.class);
    }

    @Test
    void aMembersFolderIsNotOpenedAsAStoreOfItsOwn() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
        }
        Path member = folder.resolve("server");
        assertThatThrownBy(() -> RegionServerNode.openLeader(member, OPTIONS, null))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("--join");
    }

    @Test
    void aMemberDoesNotJoinALeaderThatDoesNotKnowItsRegions() throws IOException {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
        }
        Files.delete(folder.resolve("leader/metadata"));
        assertThatThrownBy(() -> TestStore.open(folder, new NioStorage()))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("another cluster");
        assertThat(folder.resolve("server/journal")).isNotEmptyFile();
    }

    @Test
    void aRegionThatWasDroppedWhileTheServerWasDownGoesWhenItStarts() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            store.load(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0));
            store.stopServer();
            store.metadata().dropTable("items");
            assertThat(folder.resolve("server/regions")).isNotEmptyDirectory();
            store.startServer();
            assertThat(folder.resolve("server/regions")).isEmptyDirectory();
        }
    }

    @Test
    void aServerMayHaveThousandsOfSegmentFilesOpen() {
        assertThat(NodeOptions.defaults().maxSegments()).isGreaterThan(10_000);
    }

    @Test
    void aServerWithTooManySegmentFilesBeginsNoLoad() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            store.stopServer();
            store.limitSegments(5);
            store.startServer();
            store.load(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0));
            assertThatThrownBy(() -> store.load(DuplicatePolicy.REPLACE, TestTable.items(0, 10, 1)))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("has 3 segment files open, of at most 5")
                    .extracting(e -> ((PenstockException) e).category())
                    .isEqualTo(ErrorCategory.LIMIT);
            store.stopServer();
            store.limitSegments(6);
            store.startServer();
            store.load(DuplicatePolicy.REPLACE, TestTable.items(0, 10, 1));
        }
    }

    @Test
    void aServerLearnsOfAllThatWasPublishedHoweverManyPagesThatTakes() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            for (int load = 0; load < 7; load++) {
                store.load(DuplicatePolicy.REPLACE, TestTable.items(0, 20, load));
            }
            LoadDescriptor last = store.prepare(DuplicatePolicy.REPLACE, TestTable.items(0, 20, 7));
            store.loseOrders(true);
            store.publish(last);
            store.loseOrders(false);
            store.shortenPages(true);
            store.restartServer();
            assertThat(store.scan()).isEqualTo(TestTable.items(0, 20, 7));
        }
    }

    @Test
    void loadsOfATableThatWasDroppedKeepNoServerFromALaterEpoch() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            store.load(DuplicatePolicy.ERROR, TestTable.items(0, 10, 0));
            store.metadata().dropTable("items");
            store.createItems();
            store.load(DuplicatePolicy.ERROR, TestTable.items(0, 10, 1));
            store.metadata().dropTable("items");
            store.createItems();
            store.restartServer();
            assertThat(store.metadata().epoch()).isEqualTo(2);
            store.put(TestTable.items(0, 10, 2));
            assertThat(store.scan()).isEqualTo(TestTable.items(0, 10, 2));
        }
    }

    @Test
    void aRegionWhoseFolderIsGoneIsNamedAndNotServedAsEmpty() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            long stored = store.regions().getFirst().regionId();
            long loaded = store.regions().getLast().regionId();
            store.put(TestTable.items(0, 10, 0));
            store.load(DuplicatePolicy.ERROR, TestTable.items(2000, 2010, 0));
            store.stopServer();
            new NioStorage().deleteTree(folder.resolve("server/regions/region-" + stored));
            new NioStorage().deleteTree(folder.resolve("server/regions/region-" + loaded));
            store.startServer();
            assertThatThrownBy(() -> store.openScan(stored, 0))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("region-" + stored + " is missing");
            assertThatThrownBy(() -> store.openScan(loaded, 0))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("region-" + loaded)
                    .hasMessageContaining("is missing");
        }
    }

    @Test
    void checksumsDependOnTheRowsAloneAndFindDamage() throws IOException {
        RegionChecksum loaded;
        try (TestStore store = TestStore.open(folder.resolve("a"), new NioStorage())) {
            store.createItems();
            store.load(DuplicatePolicy.ERROR, TestTable.items(0, 900, 0));
            loaded = store.service().checksum(store.regions().getFirst().regionId(), 1);
        }
        try (TestStore store = TestStore.open(folder.resolve("b"), new NioStorage())) {
            store.createItems();
            store.load(DuplicatePolicy.ERROR, TestTable.items(300, 500, 8));
            store.put(TestTable.items(400, 900, 0));
            store.load(DuplicatePolicy.REPLACE, TestTable.items(0, 450, 0));
            RegionChecksum mixed =
                    store.service().checksum(store.regions().getFirst().regionId(), 2);
            assertThat(mixed.rowCount()).isEqualTo(loaded.rowCount()).isEqualTo(900);
            assertThat(mixed.columnSums()).isEqualTo(loaded.columnSums());
        }
    }

    @Test
    void loadsYoungerThanTheRetentionAreNotCompacted() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            for (int round = 0; round < 6; round++) {
                store.load(DuplicatePolicy.REPLACE, TestTable.items(0, 500, round));
            }
            Compactor compactor = new Compactor(Duration.ofSeconds(60));
            var regions = store.node().regions();
            assertThat(regions.stream().anyMatch(compactor::compact)).isFalse();
            assertThat(store.scan(3)).isEqualTo(TestTable.items(0, 500, 2));
            store.advance(Duration.ofSeconds(61));
            assertThat(regions.stream().anyMatch(compactor::compact)).isTrue();
            assertThat(store.scan()).isEqualTo(TestTable.items(0, 500, 5));
            assertThatThrownBy(() -> store.scan(3))
                    .isInstanceOf(PenstockException.class)
                    .extracting(e -> ((PenstockException) e).category())
                    .isEqualTo(ErrorCategory.RETRY);
            store.restartServer();
            assertThat(store.scan()).isEqualTo(TestTable.items(0, 500, 5));
        }
    }

    /** Readers at one epoch, two writers and a loader at the same time. */
    @Test
    void noReaderSeesAPartOfALoad() throws InterruptedException, ExecutionException {
        AtomicBoolean done = new AtomicBoolean();
        try (TestStore store = TestStore.open(folder, new NioStorage());
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            store.createItems();
            store.load(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0));
            Callable<Long> reader =
                    () -> {
                        long reads = 0;
                        while (!done.get() || reads == 0) {
                            checkOneVersion(store.scan());
                            reads++;
                        }
                        return reads;
                    };
            Callable<Long> writer =
                    () -> {
                        long id = 5000;
                        for (; !done.get(); id++) {
                            store.put(List.of(TestTable.item(id, 0)));
                        }
                        return id - 5000;
                    };
            List<Future<Long>> running = new ArrayList<>();
            running.add(threads.submit(reader));
            running.add(threads.submit(reader));
            Future<Long> written = threads.submit(writer);
            Compactor compactor = new Compactor(Duration.ofSeconds(60));
            for (int version = 1; version <= 12; version++) {
                store.load(DuplicatePolicy.REPLACE, TestTable.items(0, 3000, version));
                store.node().regions().forEach(compactor::compact);
            }
            done.set(true);
            for (Future<Long> future : running) {
                assertThat(future.get()).isPositive();
            }
            long last = 5000 + written.get();
            assertThat(store.scan().stream().map(Item::id).filter(id -> id >= 5000))
                    .containsExactlyElementsOf(
                            java.util.stream.LongStream.range(5000, last).boxed().toList());
        }
    }

    private static void checkOneVersion(List<Item> items) {
        List<Item> loaded = items.stream().filter(item -> item.id() < 3000).toList();
        Integer amount = loaded.get(1).amount();
        assertThat(amount).isNotNull();
        int version = amount == null ? -1 : amount - 3;
        assertThat(loaded).isEqualTo(TestTable.items(0, 3000, version));
    }
}
