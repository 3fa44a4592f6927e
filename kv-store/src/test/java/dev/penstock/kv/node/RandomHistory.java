package dev.penstock.kv.node;

import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.compact.Compactor;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.target.DuplicatePolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Random changes of the table {@code items} in a store, and at any moment what a reader may find:
 * all that was acknowledged, and of the change that is under way all or nothing.
 */
final class RandomHistory {
    /** Between {@code 0} and this, over all three regions. */
    private static final int KEYS = 3000;

    /** What the change that is under way does. */
    enum Kind {
        NOTHING,
        /** The table may be there or not, and has no rows. */
        CREATE,
        /** All or nothing in each region. */
        ROWS,
        /** All or nothing, with the next epoch. */
        LOAD
    }

    /**
     * What may be found.
     *
     * @param epoch the latest one that was acknowledged
     * @param after rows with the change that is under way
     */
    record Expectation(Kind kind, long epoch, Map<Long, Item> before, Map<Long, Item> after) {
        /** Whether exactly this was read once, so that nothing else may be found any more. */
        static Expectation exactly(long epoch, List<Item> rows) {
            Map<Long, Item> found = byKey(rows);
            return new Expectation(Kind.NOTHING, epoch, found, found);
        }
    }

    private final Random random;
    private final TestStore store;
    private final Compactor compactor = new Compactor(Duration.ZERO);
    private Map<Long, Item> rows = new TreeMap<>();
    private long epoch;
    private int version;
    private volatile Expectation expectation =
            new Expectation(Kind.CREATE, 0, new TreeMap<>(), new TreeMap<>());

    RandomHistory(Random random, TestStore store) {
        this.random = random;
        this.store = store;
    }

    Expectation expectation() {
        return expectation;
    }

    static Map<Long, Item> byKey(List<Item> items) {
        Map<Long, Item> map = new TreeMap<>();
        items.forEach(item -> map.put(item.id(), item));
        return map;
    }

    void createTable() {
        store.createItems();
        acknowledged(0, rows);
    }

    /** One change, which was acknowledged if this returns. */
    void step() {
        version++;
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> put(someItems(1 + random.nextInt(20)));
            case 4, 5 -> delete(someItems(1 + random.nextInt(10)));
            case 6, 7 -> load(DuplicatePolicy.REPLACE);
            case 8 -> load(DuplicatePolicy.KEEP_FIRST);
            case 9 -> abort();
            case 10 -> someRegions().forEach(Region::flush);
            case 11 -> someRegions().forEach(compactor::compact);
            case 12 -> store.restartServer();
            default -> store.restartLeader();
        }
    }

    /** Goes on from what was read after a change that failed. */
    void goOnFrom(Expectation found) {
        acknowledged(found.epoch(), found.before());
    }

    private void acknowledged(long newEpoch, Map<Long, Item> newRows) {
        epoch = newEpoch;
        rows = newRows;
        expectation = new Expectation(Kind.NOTHING, epoch, rows, rows);
    }

    /** In key order, each key once. */
    private List<Item> someItems(int count) {
        Map<Long, Item> items = new TreeMap<>();
        int from = random.nextInt(KEYS);
        int spread = random.nextBoolean() ? KEYS : 100;
        for (int i = 0; i < count; i++) {
            long id = ((long) from + random.nextInt(spread)) % KEYS;
            items.put(id, TestTable.item(id, version));
        }
        return new ArrayList<>(items.values());
    }

    private List<Region> someRegions() {
        return store.node().regions().stream().filter(region -> random.nextInt(3) > 0).toList();
    }

    private void put(List<Item> items) {
        Map<Long, Item> after = new TreeMap<>(rows);
        after.putAll(byKey(items));
        expectation = new Expectation(Kind.ROWS, epoch, rows, after);
        store.put(items);
        acknowledged(epoch, after);
    }

    private void delete(List<Item> items) {
        Map<Long, Item> after = new TreeMap<>(rows);
        items.forEach(item -> after.remove(item.id()));
        expectation = new Expectation(Kind.ROWS, epoch, rows, after);
        for (RegionAssignment region : store.regions()) {
            List<byte[]> keys =
                    TestStore.inside(region, items).stream()
                            .map(item -> TestTable.key(item.id()))
                            .toList();
            if (!keys.isEmpty()) {
                store.service().delete(region.regionId(), keys, epoch);
            }
        }
        acknowledged(epoch, after);
    }

    private void load(DuplicatePolicy duplicates) {
        List<Item> items = someItems(1 + random.nextInt(60));
        Map<Long, Item> after = new TreeMap<>(rows);
        if (duplicates == DuplicatePolicy.REPLACE) {
            after.putAll(byKey(items));
        } else {
            items.forEach(item -> after.putIfAbsent(item.id(), item));
        }
        LoadDescriptor load = store.begin(duplicates);
        store.send(load, 0, items);
        expectation = new Expectation(Kind.LOAD, epoch, rows, after);
        acknowledged(store.publish(load), after);
    }

    private void abort() {
        LoadDescriptor load = store.begin(DuplicatePolicy.REPLACE);
        store.send(load, 0, someItems(30));
        if (random.nextBoolean()) {
            store.finish(load);
        }
        store.metadata().abort(load.loadId());
    }
}
