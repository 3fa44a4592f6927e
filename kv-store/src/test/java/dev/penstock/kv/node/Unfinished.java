package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.Verification;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A load that can be resumed, as a loader knows it: its chunks, and which of them are recorded as
 * done. Those must be recorded and stored whatever happens, until the load is over.
 *
 * @param chunks rows in key order, by number of the chunk
 * @param mayBeOver whether it is being published or aborted
 */
record Unfinished(
        LoadDescriptor load,
        Map<Integer, List<Item>> chunks,
        Set<Integer> recorded,
        boolean mayBeOver) {
    Unfinished {
        chunks = Map.copyOf(chunks);
        recorded = Set.copyOf(recorded);
    }

    static Unfinished begin(TestStore store, String label, DuplicatePolicy duplicates) {
        LoadDescriptor load = begin(store, label, duplicates, "the plan");
        return new Unfinished(load, Map.of(), Set.of(), false);
    }

    /** A load as the leader knows it; one without a plan cannot be resumed. */
    static LoadDescriptor begin(
            TestStore store, String label, DuplicatePolicy duplicates, String plan) {
        return store.metadata()
                .beginLoad(TestTable.request("items", label, duplicates, Verification.COUNT, plan));
    }

    Unfinished with(int number, List<Item> chunk) {
        Map<Integer, List<Item>> more = new TreeMap<>(chunks);
        more.put(number, chunk);
        return new Unfinished(load, more, recorded, mayBeOver);
    }

    Unfinished withRecorded(Set<Integer> numbers) {
        return new Unfinished(load, chunks, numbers, mayBeOver);
    }

    Unfinished ending() {
        return new Unfinished(load, chunks, recorded, true);
    }

    /** The table with these rows when the load has replaced some and added others. */
    Map<Long, Item> replacing(Map<Long, Item> rows) {
        Map<Long, Item> after = new TreeMap<>(rows);
        new TreeMap<>(chunks)
                .values()
                .forEach(chunk -> chunk.forEach(item -> after.put(item.id(), item)));
        return after;
    }

    void send(TestStore store, int number) {
        store.send(load, number, chunks.getOrDefault(number, List.of()));
    }

    /** Sends a chunk, forces and records it. */
    static void record(
            TestStore store, LoadDescriptor load, int number, List<Item> chunk, long loader) {
        store.send(load, number, chunk);
        store.service().forceLoad(load.loadId());
        store.metadata().checkpoint(load.loadId(), loader, new byte[] {(byte) number});
    }

    /** The same with that chunk sent, forced and recorded. */
    Unfinished record(TestStore store, int number, long loader) {
        record(store, load, number, chunks.getOrDefault(number, List.of()), loader);
        Set<Integer> more = new HashSet<>(recorded);
        more.add(number);
        return withRecorded(more);
    }

    /** All chunks recorded, those that were recorded before not sent again. */
    Unfinished recordAll(TestStore store, long loader) {
        Unfinished now = this;
        for (int number : new TreeMap<>(chunks).keySet()) {
            now = now.recorded.contains(number) ? now : now.record(store, number, loader);
        }
        return now;
    }

    /** What the leader has recorded. */
    static Set<Integer> recorded(TestStore store, LoadDescriptor load) {
        Set<Integer> recorded = new HashSet<>();
        int read = 0;
        List<byte[]> page = store.metadata().checkpoints(load.loadId(), read);
        while (!page.isEmpty()) {
            page.forEach(entry -> recorded.add((int) entry[0]));
            read += page.size();
            page = store.metadata().checkpoints(load.loadId(), read);
        }
        return recorded;
    }

    /** Fails if less is there than was acknowledged; nothing if the load is over. */
    Optional<Unfinished> check(TestStore store) {
        if (store.metadata().loadState(load.loadId()) != LoadState.RUNNING) {
            assertThat(mayBeOver).as("the load may be over").isTrue();
            return Optional.empty();
        }
        Set<Integer> found = recorded(store, load);
        assertThat(found).as("recorded chunks").containsAll(recorded);
        assertThat(chunks.keySet()).as("chunks").containsAll(found);
        return Optional.of(new Unfinished(load, chunks, found, false));
    }

    /** Goes on with it as another loader, and publishes it. */
    void finish(TestStore store, long loader) {
        store.metadata().resumeLoad(load.loadId(), loader);
        withRecorded(recorded(store, load)).recordAll(store, loader);
        store.publish(load);
    }
}
