package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kv.compact.Compactor;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.kv.storage.MemoryDisk.Call;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Files that were written for a manifest that could not be told of them. */
final class FailedFlushTest {
    private static final List<Item> ROWS = TestTable.items(0, 100, 5);

    @TempDir Path home;
    private MemoryDisk disk = new MemoryDisk();
    private TestStore store;

    @BeforeEach
    void open() {
        disk = StoreCheck.disk(home, false);
        store = StoreCheck.openWithTable(home, disk);
        store.put(ROWS);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Region region() {
        long first = store.regions().getFirst().regionId();
        return store.node().regions().stream()
                .filter(region -> region.descriptor().regionId() == first)
                .findFirst()
                .orElseThrow();
    }

    /** Calls of a kind at files with that in their name, or in that from before they had one. */
    private void fail(Call failing, String name) {
        disk.watch((call, file) -> {
            if (call == failing && file.getFileName().toString().contains(name)) {
                throw MemoryDisk.injected(file);
            }
        });
    }

    private void assertFlushFails() {
        assertThatThrownBy(() -> region().flush()).hasMessageContaining("injected");
    }

    @Test
    void aFlushThatTheManifestCannotBeToldOfLeavesNoFile() {
        for (int i = 0; i < 3; i++) {
            fail(Call.WRITE, "manifest");
            assertFlushFails();
            assertThat(StoreCheck.segments(disk)).isEmpty();
        }
        disk.watch((call, file) -> {});
        assertThat(store.scan()).isEqualTo(ROWS);
        region().flush();
        assertThat(StoreCheck.segments(disk)).hasSize(1);
        assertThat(store.scan()).isEqualTo(ROWS);
        store.restartServer();
        assertThat(store.scan()).isEqualTo(ROWS);
    }

    @Test
    void aFlushWhoseFileCannotBeReadLeavesNoFile() {
        fail(Call.READ, ".seg");
        assertFlushFails();
        disk.watch((call, file) -> {});
        assertThat(StoreCheck.segments(disk)).isEmpty();
        assertThat(store.scan()).isEqualTo(ROWS);
    }

    @Test
    void theFileOfAFlushThatMayBeRecordedStays() {
        fail(Call.FORCE, "manifest");
        assertFlushFails();
        assertThat(StoreCheck.segments(disk)).hasSize(1);
        disk.watch((call, file) -> {});
        MemoryDisk next = disk.copy();
        try (TestStore again = StoreCheck.open(copyOf(next), next, StoreCheck.STAGING, 9)) {
            assertThat(again.scan()).isEqualTo(ROWS);
        }
    }

    /** Another place for it: the folder is locked. */
    private Path copyOf(MemoryDisk next) {
        Path other = home.resolve("other");
        next.createDirectories(other);
        next.move(home.resolve("server"), other.resolve("server"));
        next.move(home.resolve("leader"), other.resolve("leader"));
        return other;
    }

    @Test
    void aCompactionThatTheManifestCannotBeToldOfLeavesNoFile() {
        for (int version = 0; version < 6; version++) {
            store.put(TestTable.items(0, 100, version));
            region().flush();
        }
        store.advance(Duration.ofHours(1));
        List<Path> before = StoreCheck.segments(disk);
        fail(Call.WRITE, "manifest");
        assertThatThrownBy(() -> new Compactor(Duration.ZERO).compact(region()))
                .hasMessageContaining("injected");
        disk.watch((call, file) -> {});
        assertThat(StoreCheck.segments(disk)).isEqualTo(before);
        assertThat(new Compactor(Duration.ZERO).compact(region())).isTrue();
        assertThat(store.scan()).isEqualTo(ROWS);
    }
}
