package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.kv.storage.MemoryDisk.Call;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.List;

/** Segments of loads that the journal could not be told of. */
final class FailedPrepareTest {
    private static final List<Item> OLD = TestTable.items(950, 1050, 1);
    private static final List<Item> NEW = TestTable.items(0, 900, 2);

    @TempDir Path home;
    private MemoryDisk disk = new MemoryDisk();
    private TestStore store;

    @BeforeEach
    void open() {
        disk = StoreCheck.disk(home, false);
        store = StoreCheck.openWithTable(home, disk);
        store.put(OLD);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Under the name, too, that it has before it is complete. */
    private static boolean isJournal(Path file) {
        return file.getFileName().toString().startsWith("journal");
    }

    private void assertFinishFails(LoadDescriptor load) {
        assertThatThrownBy(() -> store.finish(load)).isInstanceOf(RuntimeException.class);
    }

    /** With a comparison of stored keys, which promises them, and without. */
    @ParameterizedTest
    @EnumSource(names = {"ERROR", "KEEP_FIRST", "REPLACE"})
    void what_the_journal_has_no_room_for_leaves_no_file(DuplicatePolicy policy) {
        LoadDescriptor load = store.begin(policy);
        store.send(load, 0, NEW);
        disk.watch((call, file) -> {
            if (call == Call.WRITE && isJournal(file)) {
                throw MemoryDisk.injected(file);
            }
        });
        assertFinishFails(load);
        assertThat(StoreCheck.segments(disk)).isEmpty();
        disk.watch((call, file) -> {});
        store.put(TestTable.items(0, 1, 3));
        store.metadata().abort(load.loadId());
        store.load(DuplicatePolicy.REPLACE, NEW);
        store.restartServer();
        assertThat(store.scan()).startsWith(NEW.getFirst()).endsWith(OLD.getLast());
    }

    /** A record that is there and names files that are not would be damage. */
    @ParameterizedTest
    @EnumSource(names = {"ERROR", "REPLACE"})
    void the_files_of_what_may_be_recorded_stay(DuplicatePolicy policy) {
        LoadDescriptor load = store.begin(policy);
        store.send(load, 0, NEW);
        disk.watch((call, file) -> {
            if (call == Call.WRITE && isJournal(file)) {
                throw new MemoryDisk.HalfDone();
            }
            if (call == Call.CUT && isJournal(file)) {
                throw MemoryDisk.injected(file);
            }
        });
        assertFinishFails(load);
        assertThat(StoreCheck.segments(disk)).isNotEmpty();
        disk.watch((call, file) -> {});
        store.metadata().abort(load.loadId());
        store.restartServer();
        assertThat(StoreCheck.segments(disk)).isEmpty();
        assertThat(store.scan()).isEqualTo(OLD);
    }
}
