package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.node.RandomHistory.Expectation;
import dev.penstock.kv.node.RandomHistory.Kind;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.target.DuplicatePolicy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Opens a store after something happened to its disk, and looks whether it has what it should. */
final class StoreCheck {
    static final StagingLimits STAGING = new StagingLimits(1 << 20, 1 << 20);

    /** Above the ids of any history. */
    private static final long LAST_ID = 1 << 20;

    private static final long LAST_LOADER = 1 << 20;

    private StoreCheck() {}

    /**
     * A disk for a store.
     *
     * @param whole whether the server's folder is to hold the metadata too
     */
    static MemoryDisk disk(Path folder, boolean whole) {
        Path server = folder.resolve("server");
        return whole ? new MemoryDisk(server) : new MemoryDisk(server, folder.resolve("leader"));
    }

    /** Opens a store of such a disk. */
    static TestStore open(Path folder, MemoryDisk disk, StagingLimits staging, long lastId) {
        return disk.exists(folder.resolve("leader"))
                ? TestStore.open(folder, disk, staging, lastId)
                : TestStore.openWhole(folder, disk, staging, lastId);
    }

    /** Opens a store of such a disk, on which there is none yet, and makes the table. */
    static TestStore openWithTable(Path folder, MemoryDisk disk) {
        TestStore store = open(folder, disk, STAGING, 0);
        store.createItems();
        return store;
    }

    static List<Path> segments(MemoryDisk disk) {
        return disk.files().keySet().stream()
                .filter(file -> file.toString().endsWith(".seg"))
                .toList();
    }

    /** Fails if there is anything else than may be; returns what was found. */
    static Expectation check(Path folder, MemoryDisk disk, Expectation expected) {
        Expectation found = expected;
        try (TestStore store = open(folder, disk, STAGING, LAST_ID)) {
            boolean hasTable = store.metadata().table("items").isPresent();
            assertThat(hasTable || expected.kind() == Kind.CREATE).as("table").isTrue();
            if (hasTable) {
                found = checkTable(store, expected);
            }
            checkNothingLeftOver(disk);
        }
        assertThat(disk.openFiles()).as("open files").isEmpty();
        return found;
    }

    /** The same of a store that is open and has the table. */
    static Expectation checkTable(TestStore store, Expectation expected) {
        long epoch = store.metadata().epoch();
        List<Item> rows = store.scan();
        switch (expected.kind()) {
            case CREATE -> assertThat(rows).isEmpty();
            case NOTHING -> {
                assertThat(epoch).as("epoch").isEqualTo(expected.epoch());
                assertThat(rows).isEqualTo(list(expected.before()));
            }
            case LOAD -> {
                boolean published = epoch > expected.epoch();
                assertThat(epoch).isBetween(expected.epoch(), expected.epoch() + 1);
                assertThat(rows)
                        .as("load, published: %s", published)
                        .isEqualTo(list(published ? expected.after() : expected.before()));
            }
            case ROWS -> checkRegions(store, rows, expected);
        }
        for (RegionAssignment region : store.regions()) {
            long stored = store.service().checksum(region.regionId(), epoch).rowCount();
            assertThat(stored).isEqualTo(TestStore.inside(region, rows).size());
        }
        Optional<Unfinished> unfinished = expected.unfinished().flatMap(load -> load.check(store));
        if (expected.kind() == Kind.LOAD
                && expected.unfinished().filter(Unfinished::mayBeOver).isPresent()) {
            assertThat(unfinished.isPresent()).as("runs").isEqualTo(epoch == expected.epoch());
        }
        return expected.kind() == Kind.CREATE
                ? expected
                : Expectation.exactly(epoch, rows, unfinished);
    }

    private static void checkRegions(TestStore store, List<Item> rows, Expectation expected) {
        assertThat(store.metadata().epoch()).as("epoch").isEqualTo(expected.epoch());
        for (RegionAssignment region : store.regions()) {
            List<Item> inside = TestStore.inside(region, rows);
            List<Item> before = TestStore.inside(region, list(expected.before()));
            if (!inside.equals(before)) {
                assertThat(inside)
                        .as("region %s", region.range())
                        .isEqualTo(TestStore.inside(region, list(expected.after())));
            }
        }
    }

    private static List<Item> list(Map<Long, Item> items) {
        return new ArrayList<>(items.values());
    }

    /** The folder of a load that can be resumed is its own until the load is over. */
    private static void checkNothingLeftOver(MemoryDisk disk) {
        assertThat(disk.files().keySet())
                .filteredOn(file -> !file.toString().contains("/resume/"))
                .noneMatch(file -> file.toString().endsWith(".new"))
                .noneMatch(file -> file.toString().endsWith(".fragments"));
    }

    /**
     * Puts or loads some rows into a store that was opened after a fault, and returns what it must
     * have from then on.
     */
    static Expectation use(Path folder, MemoryDisk disk, Expectation found, Random random) {
        if (found.kind() == Kind.CREATE) {
            return found;
        }
        Map<Long, Item> wanted = RandomHistory.byKey(list(found.before()));
        int from = 1000 * random.nextInt(3);
        List<Item> items = TestTable.items(from, from + 10, 7001);
        items.forEach(item -> wanted.put(item.id(), item));
        boolean load = random.nextBoolean();
        try (TestStore store = open(folder, disk, STAGING, disk.files().size() * LAST_ID)) {
            if (load) {
                store.load(DuplicatePolicy.REPLACE, items);
            } else {
                store.put(items);
            }
            assertThat(store.scan()).isEqualTo(list(wanted));
        }
        return Expectation.exactly(
                found.epoch() + (load ? 1 : 0), list(wanted), found.unfinished());
    }

    /**
     * Goes on with the load that a store had unfinished when it was opened after a fault, if any,
     * and returns what it must have from then on.
     */
    static Expectation goOn(Path folder, MemoryDisk disk, Expectation found) {
        if (found.unfinished().isEmpty()) {
            return found;
        }
        Unfinished load = found.unfinished().get();
        Map<Long, Item> wanted = load.replacing(found.before());
        try (TestStore store = open(folder, disk, STAGING, disk.files().size() * LAST_ID)) {
            load.finish(store, LAST_LOADER);
            assertThat(store.scan()).as("rows after going on").isEqualTo(list(wanted));
            assertThat(disk.files().keySet())
                    .noneMatch(file -> file.toString().contains("checkpoints/"))
                    .noneMatch(file -> file.toString().contains("resume/"));
        }
        return Expectation.exactly(found.epoch() + 1, list(wanted), Optional.empty());
    }
}
