package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.kv.storage.ReceiptBytes;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.RegionReceipt;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Receipts name keys and are kept until their load is over, restarts or not: a server has room for
 * all of them together. The table has 20 rows in each of its three regions, and a load's rows with
 * their keys are rejects.
 */
final class ReceiptsOfRegionsTest {
    private static final int ROWS = 20;
    private static final int KEYS = 10;

    @TempDir private Path folder;

    private TestStore store;

    @BeforeEach
    void openWithRoomForTheKeysOfOneRegionAndAHalf() {
        store = TestStore.open(folder, new NioStorage());
        store.createItems();
        store.load(DuplicatePolicy.ERROR, rows(ROWS));
        LoadDescriptor load = begin(KEYS);
        long bytes = bytes(finish(load, 1));
        assertThat(bytes).isGreaterThan(KEYS * 100L);
        store.metadata().abort(load.loadId());
        restartWithRoomFor(bytes * 3 / 2);
    }

    private void restartWithRoomFor(long bytes) {
        store.limitReceipts(bytes);
        store.restartServer();
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** The first ones of each region, in key order. */
    private static List<Item> rows(int count) {
        List<Item> items = new ArrayList<>();
        for (int region = 0; region < 3; region++) {
            for (int i = 0; i < count; i++) {
                items.add(TestTable.item(1000L * region + 100 + i, 1));
            }
        }
        return items;
    }

    private LoadDescriptor begin(int keys) {
        LoadDescriptor load = store.begin(DuplicatePolicy.REJECT);
        store.send(load, 0, rows(keys));
        return load;
    }

    private RegionReceipt finish(LoadDescriptor load, int region) {
        long regionId = load.regions().get(region).regionId();
        return store.service().finish(load.loadId(), List.of(regionId)).getFirst();
    }

    /** As another loader than the one before. */
    private void goOn(LoadDescriptor load, long loader) {
        store.metadata().releaseLoad(load.loadId(), loader - 1);
        store.metadata().resumeLoad(load.loadId(), loader);
    }

    private static long bytes(RegionReceipt receipt) {
        return receipt.rejects().stream().mapToLong(ReceiptBytes::of).sum();
    }

    private void assertRefused(LoadDescriptor load, int region, ErrorCategory category) {
        assertThatThrownBy(() -> finish(load, region))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.category()).isEqualTo(category))
                .hasMessageContaining(
                        "A server found more keys of duplicate rows than it can hold");
    }

    @Test
    void named_keys_take_room_until_their_load_is_given_up() {
        LoadDescriptor load = begin(KEYS);
        assertThat(finish(load, 1).rejects()).hasSize(KEYS);
        assertThat(finish(load, 1).rejects()).as("the same again").hasSize(KEYS);
        assertRefused(load, 2, ErrorCategory.DATA);
        store.metadata().abort(load.loadId());

        LoadDescriptor larger = begin(KEYS + KEYS / 2 - 1);
        assertThat(finish(larger, 1).rejects()).hasSize(KEYS + KEYS / 2 - 1);
    }

    @Test
    void named_keys_take_room_until_their_load_is_published() {
        for (int i = 0; i < 3; i++) {
            LoadDescriptor load = store.begin(DuplicatePolicy.REJECT);
            store.send(load, 0, TestStore.inside(load.regions().get(1), rows(KEYS)));
            assertThat(finish(load, 1).rejects()).hasSize(KEYS);
            store.publish(load);
        }
        assertThat(store.scan()).isEqualTo(rows(ROWS));
    }

    @Test
    void loads_at_the_same_time_share_the_room() {
        LoadDescriptor first = begin(KEYS);
        LoadDescriptor second = begin(KEYS);
        assertThat(finish(first, 1).rejects()).hasSize(KEYS);
        assertRefused(second, 1, ErrorCategory.DATA);
        store.metadata().abort(first.loadId());

        LoadDescriptor again = begin(KEYS);
        assertThat(finish(again, 1).rejects()).hasSize(KEYS);
    }

    @Test
    void what_is_read_back_takes_room_too() {
        LoadDescriptor load = Unfinished.begin(store, "monday", DuplicatePolicy.REJECT, "the plan");
        Unfinished.record(store, load, 0, rows(KEYS), 1);
        RegionReceipt receipt = finish(load, 1);

        store.restartServer();
        goOn(load, 2);
        assertThat(finish(load, 1)).usingRecursiveComparison().isEqualTo(receipt);
        assertRefused(load, 2, ErrorCategory.DATA);
        goOn(load, 3);
        assertRefused(load, 2, ErrorCategory.DATA);

        restartWithRoomFor(3 * bytes(receipt) + KEYS);
        goOn(load, 4);
        store.publish(load);
        assertThat(store.scan()).isEqualTo(rows(ROWS));
        LoadDescriptor next = begin(KEYS);
        assertThat(store.finish(next)).allMatch(made -> made.rejects().size() == KEYS);
    }

    @Test
    void loads_that_wait_to_be_resumed_do_not_wait_for_one_another() {
        LoadDescriptor first = Unfinished.begin(store, "a", DuplicatePolicy.REJECT, "the plan");
        LoadDescriptor second = Unfinished.begin(store, "b", DuplicatePolicy.REJECT, "the plan");
        for (LoadDescriptor load : List.of(first, second)) {
            Unfinished.record(store, load, 0, rows(KEYS), 1);
        }
        long bytes = bytes(finish(second, 1));
        restartWithRoomFor(2 * bytes + KEYS);
        goOn(first, 2);
        goOn(second, 2);
        assertThat(finish(first, 1).rejects()).hasSize(KEYS);
        store.restartServer();
        goOn(second, 3);
        goOn(first, 3);

        assertRefused(first, 2, ErrorCategory.CONFLICT);
        assertThatThrownBy(() -> finish(second, 2))
                .hasMessageContaining("load 'a' (" + first.loadId() + "), which began earlier;")
                .hasMessageEndingWith(": penstock loads items --abort " + first.loadId())
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.DATA));
        store.metadata().abort(second.loadId()); // As a loader does that is told this.
        goOn(first, 4);
        assertThat(finish(first, 1).rejects()).hasSize(KEYS);
        assertThat(finish(first, 2).rejects()).hasSize(KEYS);
    }

    @Test
    void a_damaged_region_gives_the_room_of_a_load_back_that_is_given_up() throws IOException {
        store.metadata().createTable(others());
        LoadDescriptor load = begin(KEYS);
        assertThat(finish(load, 1).rejects()).hasSize(KEYS);
        takeFolderAway(load);
        assertRefused(beginOther(), 0, ErrorCategory.DATA);
        store.metadata().abort(load.loadId());
        assertThat(finish(beginOther(), 0).rejects()).hasSize(KEYS);
    }

    @Test
    void a_damaged_region_gives_the_room_back_of_a_load_that_ends_while_its_server_is_down()
            throws IOException {
        store.metadata().createTable(others());
        LoadDescriptor load = begin(KEYS);
        assertThat(finish(load, 1).rejects()).hasSize(KEYS);
        store.loseOrders(true);
        store.metadata().abort(load.loadId());
        store.loseOrders(false);
        takeFolderAway(load);
        assertThat(finish(beginOther(), 0).rejects()).hasSize(KEYS);
    }

    @Test
    void a_damaged_region_gives_the_room_of_a_published_load_back_and_keeps_its_rows()
            throws IOException {
        store.metadata().createTable(others());
        LoadDescriptor load = store.begin(DuplicatePolicy.REJECT);
        List<Item> items = TestStore.inside(load.regions().get(1), rows(KEYS));
        Item added = TestTable.item(1500, 1);
        store.send(load, 0, Stream.concat(items.stream(), Stream.of(added)).toList());
        Map<Long, Long> rows = new HashMap<>();
        store.finish(load).forEach(receipt -> rows.put(receipt.regionId(), receipt.rowCount()));
        takeFolderAway(load);
        store.metadata().publish(load.loadId(), rows, "");
        assertThat(finish(beginOther(), 0).rejects()).hasSize(KEYS);

        store.stopServer();
        Files.move(folder.resolve("away"), folderOf(load));
        store.startServer();
        assertThat(store.scan()).hasSize(3 * ROWS + 1).contains(added);
    }

    /** Its region 1 is damaged. */
    private void takeFolderAway(LoadDescriptor load) throws IOException {
        store.stopServer();
        Files.move(folderOf(load), folder.resolve("away"));
        store.startServer();
        assertThatThrownBy(() -> finish(load, 1)).hasMessageContaining("cannot be served");
    }

    private Path folderOf(LoadDescriptor load) {
        long regionId = load.regions().get(1).regionId();
        return RegionFiles.in(store.serverFolder().resolve("regions"), regionId).directory();
    }

    private static TableSchema others() {
        return new TableSchema("others", TestTable.SCHEMA.columns(), TestTable.SCHEMA.key(), false);
    }

    /** Into another table, which is empty: its keys come twice. */
    private LoadDescriptor beginOther() {
        LoadDescriptor load =
                store.metadata()
                        .beginLoad(
                                LoadRequest.intoExisting(
                                        "others",
                                        "",
                                        DuplicatePolicy.REJECT,
                                        Dialect.csv(),
                                        List.of(0, 1, 2),
                                        List.of("test.csv"),
                                        false));
        List<Item> items = rows(KEYS).subList(KEYS, 2 * KEYS);
        store.send(load, 0, items);
        store.send(load, 1, items);
        return load;
    }
}
