package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.kv.storage.MemoryDisk.Call;
import dev.penstock.predicate.Predicate;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One of three regions cannot install what was published, for a while: it cannot flush its rows.
 */
final class LateRegionsTest {
    private static final List<Item> OLD = TestTable.items(0, 3000, 1);
    private static final List<Item> FIRST = TestTable.items(0, 3000, 2);
    private static final List<Item> SECOND = TestTable.items(500, 1500, 3);
    private static final int LATE = 1;

    @TempDir Path home;
    private MemoryDisk disk = new MemoryDisk();
    private TestStore store;
    private Path lateFolder = Path.of("");
    private LoadDescriptor first;
    private LoadDescriptor second;
    private long before;

    @BeforeEach
    void prepare() {
        disk = StoreCheck.disk(home, false);
        store = StoreCheck.openWithTable(home, disk);
        store.put(OLD);
        before = store.metadata().epoch();
        first = store.prepare(DuplicatePolicy.REPLACE, FIRST);
        second = store.prepare(DuplicatePolicy.REPLACE, SECOND);
        lateFolder =
                store.node().regions().stream()
                        .filter(region -> region.descriptor().regionId() == regionId(LATE))
                        .map(region -> region.files().directory())
                        .findFirst()
                        .orElseThrow();
        fail();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private long regionId(int number) {
        return store.regions().get(number).regionId();
    }

    private void fail() {
        disk.watch((call, file) -> {
            if (call == Call.CREATE && file.startsWith(lateFolder)) {
                throw MemoryDisk.injected(file);
            }
        });
    }

    private void repair() {
        disk.watch((call, file) -> {});
    }

    private List<Item> scan(int number, long epoch) {
        List<Item> items = new ArrayList<>();
        try (var cursor = store.openScan(regionId(number), epoch)) {
            TestStore.readAll(cursor, items);
        }
        return items;
    }

    private List<Item> inside(int number, List<Item> items) {
        return TestStore.inside(store.regions().get(number), items);
    }

    private static List<Item> withSecond() {
        List<Item> items = new ArrayList<>(FIRST.subList(0, 500));
        items.addAll(SECOND);
        items.addAll(FIRST.subList(1500, 3000));
        return items;
    }

    private void assertNothingIsPrepared() {
        assertThat(store.node().regions()).allMatch(region -> region.prepared().isEmpty());
    }

    @Test
    void theOthersAreReadAndItWaits() {
        long epoch = store.publish(first);
        assertThat(scan(0, epoch)).isEqualTo(inside(0, FIRST));
        assertThat(scan(2, epoch)).isEqualTo(inside(2, FIRST));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> scan(LATE, epoch)).hasMessageContaining("injected");
        }
        assertThat(scan(LATE, before)).isEqualTo(inside(LATE, OLD));
        repair();
        assertThat(scan(LATE, epoch)).isEqualTo(inside(LATE, FIRST));
        assertThat(store.node().regions())
                .allMatch(region -> region.prepared().get(first.loadId()).isEmpty());
    }

    @Test
    void anOrderToInstallTriesItOnce() {
        AtomicInteger attempts = new AtomicInteger();
        disk.watch((call, file) -> {
            if (call == Call.CREATE && file.startsWith(lateFolder)) {
                attempts.incrementAndGet();
                throw MemoryDisk.injected(file);
            }
        });
        long epoch = store.publish(first);
        attempts.set(0);
        assertThatThrownBy(() -> store.service().install(first.loadId(), epoch))
                .hasMessageContaining("injected");
        assertThat(attempts).hasValue(1);
        store.restartServer();
        assertThat(attempts).hasValue(2);
        repair();
        store.service().install(first.loadId(), epoch);
        assertThat(store.scan()).isEqualTo(FIRST);
    }

    @Test
    void itTakesNoRowsMeanwhile() {
        long epoch = store.publish(first);
        List<Item> row = inside(LATE, OLD).subList(0, 1);
        assertThatThrownBy(() -> store.service().put(regionId(LATE), TestTable.batch(row), epoch))
                .hasMessageContaining("injected");
        assertThatThrownBy(() -> store.service().get(regionId(LATE), TestTable.key(1000), epoch))
                .hasMessageContaining("injected");
        assertThatThrownBy(() ->
                        store.service().delete(regionId(LATE), List.of(TestTable.key(1000)), epoch))
                .hasMessageContaining("injected");
        repair();
        assertThat(store.scan()).isEqualTo(FIRST);
    }

    @Test
    void loadsThatFollowAreInstalledInTheirOrder() {
        store.publish(first);
        long epoch = store.publish(second);
        assertThat(scan(0, epoch)).isEqualTo(inside(0, withSecond()));
        assertThatThrownBy(() -> scan(LATE, epoch)).hasMessageContaining("injected");
        assertThatThrownBy(() -> scan(LATE, epoch - 1)).hasMessageContaining("injected");
        repair();
        assertThat(scan(LATE, epoch - 1)).isEqualTo(inside(LATE, FIRST));
        assertThat(store.scan()).isEqualTo(withSecond());
        assertNothingIsPrepared();
        store.restartServer();
        assertThat(store.scan()).isEqualTo(withSecond());
    }

    @Test
    void noLoadIsComparedWithWhatItHasNotGot() {
        store.publish(first);
        LoadDescriptor next = store.begin(DuplicatePolicy.ERROR);
        repair();
        store.send(next, 0, TestTable.items(1100, 1110, 4));
        fail();
        assertThatThrownBy(() -> store.finish(next)).hasMessageContaining("injected");
        repair();
        assertThatThrownBy(() -> store.finish(next)).hasMessageContaining("key");
        store.metadata().abort(next.loadId());
        assertThat(store.scan()).isEqualTo(FIRST);
    }

    @Test
    void aServerStartsWithItAndSaysSo() {
        long epoch = store.publish(first);
        store.publish(second);
        String late = "region " + regionId(LATE) + " cannot take what was published";
        store.stopServer();
        List<String> lines = new ArrayList<>();
        try (RegionServerNode node = store.openServer()) {
            node.start("host:1", lines::add);
            assertThat(lines).singleElement().asString().contains(late, "injected");
            node.heartbeat();
            assertThat(lines).hasSize(1);
            RegionService service = node.regionService();
            assertThat(service.count(regionId(2), epoch, KeyRange.ALL, Predicate.ALWAYS))
                    .isEqualTo(inside(2, FIRST).size());
            assertThatThrownBy(() -> service.checksum(regionId(LATE), epoch))
                    .hasMessageContaining("injected");
            repair();
            node.heartbeat();
            assertThat(lines).hasSize(2).last().asString().startsWith("no more: " + late);
            assertThat(node.regions()).allMatch(region -> region.prepared().isEmpty());
            fail();
            assertThat(service.checksum(regionId(LATE), epoch).rowCount())
                    .isEqualTo(inside(LATE, FIRST).size());
        }
        store.startServer();
        assertThat(store.scan()).isEqualTo(withSecond());
    }

    @Test
    void aLeaseAnswersNoReadOfIt() {
        long epoch = store.publish(first);
        store.node().heartbeat();
        RegionService service = store.service();
        assertThat(service.epochAtHand(RegionService.LATEST)).isEmpty();
        assertThat(service.get(regionId(0), TestTable.key(0), RegionService.LATEST)).isPresent();
        assertThatThrownBy(() ->
                        service.get(regionId(LATE), TestTable.key(1000), RegionService.LATEST))
                .hasMessageContaining("injected");
        repair();
        assertThat(service.get(regionId(LATE), TestTable.key(1000), RegionService.LATEST))
                .isPresent();
        assertThat(service.epochAtHand(RegionService.LATEST)).contains(epoch);
    }

    @Test
    void oneThatIsDroppedIsForgotten() {
        store.publish(first);
        store.metadata().abort(second.loadId());
        long late = regionId(LATE);
        store.metadata().dropTable("items");
        assertThat(store.service().status().regions())
                .noneMatch(region -> region.regionId() == late);
        repair();
        store.createItems();
        store.load(DuplicatePolicy.REPLACE, FIRST);
        assertThat(store.scan()).isEqualTo(FIRST);
        store.node().heartbeat();
        assertThat(store.service().epochAtHand(RegionService.LATEST)).isPresent();
    }
}
