package dev.penstock.kv.node;

import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
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
import java.util.Optional;
import java.util.Random;
import java.util.Set;
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
     * @param unfinished a load that can be resumed
     */
    record Expectation(
            Kind kind,
            long epoch,
            Map<Long, Item> before,
            Map<Long, Item> after,
            Optional<Unfinished> unfinished) {
        /** Nothing but perhaps a table without rows. */
        static Expectation nothingYet() {
            return new Expectation(Kind.CREATE, 0, Map.of(), Map.of(), Optional.empty());
        }

        /** Whether exactly this was read once, so that nothing else may be found any more. */
        static Expectation exactly(long epoch, List<Item> rows, Optional<Unfinished> unfinished) {
            Map<Long, Item> found = byKey(rows);
            return new Expectation(Kind.NOTHING, epoch, found, found, unfinished);
        }
    }

    private final Random random;
    private final TestStore store;
    private final Compactor compactor = new Compactor(Duration.ZERO);
    private Map<Long, Item> rows = new TreeMap<>();
    private long epoch;
    private int version;
    private Optional<Unfinished> unfinished = Optional.empty();

    /** The present loader of the unfinished load, and whether servers know of it. */
    private long loader;

    private boolean attached;

    /** Whether servers were asked to prepare the unfinished load, so that it may hold its keys. */
    private boolean preparing;

    /** The load that is under way, if it cannot be resumed. */
    private Optional<LoadDescriptor> begun = Optional.empty();

    /** Keys of the load that is under way, if it compares them with what is stored. */
    private Set<Long> compared = Set.of();

    private volatile Expectation expectation = Expectation.nothingYet();

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
        compared = Set.of();
        switch (random.nextInt(18)) {
            case 0, 1, 2, 3 -> put(someItems(1 + random.nextInt(20)));
            case 4, 5 -> delete(someItems(1 + random.nextInt(10)));
            case 6, 7 -> load(DuplicatePolicy.REPLACE);
            case 8 -> load(DuplicatePolicy.KEEP_FIRST);
            case 9 -> abort();
            case 10 -> someRegions().forEach(Region::flush);
            case 11 -> someRegions().forEach(compactor::compact);
            case 12 -> restartServer();
            case 13 -> restartLeader();
            default -> unfinished.ifPresentOrElse(this::goOn, this::beginResumable);
        }
    }

    private void restartServer() {
        attached = false;
        store.restartServer();
    }

    private void restartLeader() {
        attached = attached && store.hasOwnLeader();
        store.restartLeader();
    }

    /** Goes on from what was read after a change that failed. */
    void goOnFrom(Expectation found) {
        unfinished = found.unfinished();
        attached = false;
        acknowledged(found.epoch(), found.before());
    }

    private void acknowledged(long newEpoch, Map<Long, Item> newRows) {
        epoch = newEpoch;
        rows = newRows;
        expectation = new Expectation(Kind.NOTHING, epoch, rows, rows, unfinished);
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
        expectation = new Expectation(Kind.ROWS, epoch, rows, after, unfinished);
        store.put(items);
        acknowledged(epoch, after);
    }

    private void delete(List<Item> items) {
        Map<Long, Item> after = new TreeMap<>(rows);
        items.forEach(item -> after.remove(item.id()));
        expectation = new Expectation(Kind.ROWS, epoch, rows, after, unfinished);
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
        if (duplicates.comparesStored()) {
            compared = byKey(items).keySet();
        }
        LoadDescriptor load = begin(duplicates);
        store.send(load, 0, items);
        expectation = new Expectation(Kind.LOAD, epoch, rows, after, unfinished);
        acknowledged(store.publish(load), after);
        begun = Optional.empty();
    }

    private void abort() {
        LoadDescriptor load = begin(DuplicatePolicy.REPLACE);
        store.send(load, 0, someItems(30));
        if (random.nextBoolean()) {
            store.finish(load);
        }
        store.metadata().abort(load.loadId());
        begun = Optional.empty();
    }

    private LoadDescriptor begin(DuplicatePolicy duplicates) {
        LoadDescriptor load = store.begin(duplicates);
        begun = Optional.of(load);
        return load;
    }

    /** After a change that failed: what loaders do with a load that cannot be resumed. */
    void abortFailed() {
        if (begun.isPresent()
                && store.metadata().loadState(begun.get().loadId()) == LoadState.RUNNING) {
            store.metadata().abort(begun.get().loadId());
        }
        begun = Optional.empty();
    }

    /**
     * Whether a load that can be resumed may be prepared, and has keys of the load that is under
     * way: only then that one may be refused, and nothing has changed.
     */
    boolean meetsHeldKeys() {
        return preparing
                && unfinished.stream()
                        .flatMap(load -> load.chunks().values().stream().flatMap(List::stream))
                        .anyMatch(item -> compared.contains(item.id()));
    }

    /** The load that was under way was refused. */
    void refused() {
        abortFailed();
        acknowledged(epoch, rows);
    }

    // A load that can be resumed, for many changes

    private void now(Unfinished load) {
        unfinished = Optional.of(load);
        acknowledged(epoch, rows);
    }

    private void beginResumable() {
        loader = 1;
        String label = "load " + version;
        now(Unfinished.begin(store, label, DuplicatePolicy.REPLACE));
        preparing = false;
        attached = true;
    }

    /** Chunks come before servers are asked to prepare, and none afterwards. */
    private void goOn(Unfinished load) {
        int what = random.nextInt(9);
        if (what == 0) {
            abort(load);
            return;
        }
        if (!attached || what == 1) {
            resume(load);
        }
        switch (preparing ? Math.min(what, 2) : what) {
            case 1 -> {}
            case 2, 3 -> publish(load.recordAll(store, loader));
            case 4 -> {
                Unfinished more = withNextChunk(load);
                more.send(store, more.chunks().size() - 1);
            }
            default -> {
                Unfinished more = withNextChunk(load);
                now(more.record(store, more.chunks().size() - 1, loader));
            }
        }
    }

    private Unfinished withNextChunk(Unfinished load) {
        Unfinished more = load.with(load.chunks().size(), someItems(1 + random.nextInt(20)));
        now(more);
        return more;
    }

    private void resume(Unfinished load) {
        store.metadata().releaseLoad(load.load().loadId(), loader++);
        if (loader % 2 == 0) {
            // Long enough for the server to put the load to sleep.
            store.advance(OpenLoad.IDLE);
            store.node().heartbeat();
        }
        store.metadata().resumeLoad(load.load().loadId(), loader);
        attached = true;
    }

    private void publish(Unfinished load) {
        Map<Long, Item> after = load.replacing(rows);
        Optional<Unfinished> ending = Optional.of(load.ending());
        preparing = true;
        expectation = new Expectation(Kind.LOAD, epoch, rows, after, ending);
        long published = store.publish(load.load());
        unfinished = Optional.empty();
        acknowledged(published, after);
    }

    private void abort(Unfinished load) {
        expectation = new Expectation(Kind.NOTHING, epoch, rows, rows, Optional.of(load.ending()));
        store.metadata().abort(load.load().loadId());
        unfinished = Optional.empty();
        acknowledged(epoch, rows);
    }

    /** Aborts what is unfinished, so that the table can be dropped. */
    void end() {
        unfinished.ifPresent(this::abort);
    }
}
