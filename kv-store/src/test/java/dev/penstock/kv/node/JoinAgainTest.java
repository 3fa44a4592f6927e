package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server that has opened its regions and cannot reach the leader joins again. */
final class JoinAgainTest {
    @TempDir Path home;

    @Test
    void aServerThatJoinsAgainOpensItsRegionsOnce() {
        MemoryDisk disk = StoreCheck.disk(home, false);
        List<Item> rows = new ArrayList<>(TestTable.items(0, 10, 0));
        try (TestStore store = StoreCheck.open(home, disk, StoreCheck.STAGING, 0)) {
            store.createItems();
            store.put(rows);
            store.load(DuplicatePolicy.REPLACE, TestTable.items(1000, 3000, 0));
            rows.addAll(TestTable.items(1000, 3000, 0));
            long region = store.regions().getFirst().regionId();
            store.stopServer();
            try (RegionServerNode node = store.openServer()) {
                store.loseQuestions(true);
                assertThatThrownBy(() -> node.start("host:1")).hasMessageContaining("reached");
                List<Region> opened = node.regions();
                assertThat(opened).hasSize(3);
                List<Path> files = disk.openFiles();
                assertThatThrownBy(() -> node.start("host:1")).hasMessageContaining("reached");
                assertThat(disk.openFiles()).containsExactlyInAnyOrderElementsOf(files);
                store.loseQuestions(false);
                node.start("host:1");
                assertThat(node.regions()).containsExactlyInAnyOrderElementsOf(opened);
                node.regionService().put(region, TestTable.batch(TestTable.items(10, 20, 1)), 1);
                rows.addAll(10, TestTable.items(10, 20, 1));
            }
            store.startServer();
            assertThat(store.scan()).isEqualTo(rows);
        }
        assertThat(disk.openFiles()).isEmpty();
    }
}
