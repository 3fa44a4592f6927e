package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a server that starts asks of the leader does not grow with the loads there have been. */
final class StartAfterManyLoadsTest {
    private static final int LOADS = 50;

    @TempDir Path home;
    private MemoryDisk disk = new MemoryDisk();
    private TestStore store;

    @BeforeEach
    void load() {
        disk = StoreCheck.disk(home, false);
        store = StoreCheck.openWithTable(home, disk);
        for (int version = 0; version < LOADS; version++) {
            store.load(DuplicatePolicy.REPLACE, rows(version));
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static List<Item> rows(int version) {
        return TestTable.items(900, 2100, version);
    }

    private long toldWhile(Runnable something) {
        long before = store.publishedTold();
        something.run();
        return store.publishedTold() - before;
    }

    @Test
    void aStartAsksForNoLoadThatIsInstalled() {
        assertThat(toldWhile(store::restartServer)).isZero();
        assertThat(store.scan()).isEqualTo(rows(LOADS - 1));
        store.load(DuplicatePolicy.REPLACE, rows(LOADS));
        assertThat(store.scan()).isEqualTo(rows(LOADS));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aStartAsksForWhatWasPublishedAndNotInstalled(int missed) {
        List<LoadDescriptor> loads = new ArrayList<>();
        for (int i = 0; i < missed; i++) {
            loads.add(store.prepare(DuplicatePolicy.REPLACE, rows(LOADS + i)));
        }
        store.loseOrders(true);
        loads.forEach(store::publish);
        store.loseOrders(false);
        assertThat(toldWhile(store::restartServer)).isBetween((long) missed, missed + 1L);
        assertThat(store.scan()).isEqualTo(rows(LOADS + missed - 1));
    }

    /** One that waits to be resumed may do so for weeks, while others are published. */
    @Test
    void aLoadThatIsPreparedAndRunsIsNoReasonToAskForAllSince() {
        Unfinished night =
                Unfinished.begin(store, "night", DuplicatePolicy.REPLACE).with(0, rows(1000));
        night.send(store, 0);
        store.finish(night.load());
        store.load(DuplicatePolicy.REPLACE, rows(LOADS));
        assertThat(toldWhile(store::restartServer)).isZero();
        assertThat(store.metadata().loadState(night.load().loadId())).isEqualTo(LoadState.RUNNING);
        assertThat(store.scan()).isEqualTo(rows(LOADS));
    }

    @Test
    void whatWasAbortedMeanwhileGoes() {
        LoadDescriptor load = store.prepare(DuplicatePolicy.REPLACE, rows(1000));
        store.loseOrders(true);
        store.metadata().abort(load.loadId());
        store.loseOrders(false);
        assertThat(toldWhile(store::restartServer)).isLessThanOrEqualTo(1);
        assertThat(store.node().regions())
                .allSatisfy(region -> assertThat(region.prepared().isEmpty()).isTrue());
        assertThat(store.scan()).isEqualTo(rows(LOADS - 1));
    }

    /** The journal is as it was before the last load, as after a careless copy. */
    @Test
    void aRegionThatLacksALoadIsStillFound() {
        Path journal = store.serverFolder().resolve("journal");
        long before = disk.size(journal);
        store.load(DuplicatePolicy.REPLACE, rows(LOADS));
        store.stopServer();
        disk.delete(store.serverFolder().resolve("closed"));
        disk.truncate(journal, before);
        store.startServer();
        assertThatThrownBy(store::scan).hasMessageContaining("is missing in");
    }
}
