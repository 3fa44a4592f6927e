package dev.penstock.kv.storage;

import dev.penstock.kv.storage.MemoryDisk.Node;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Names of a folder of a {@link MemoryDisk}, and the changes of them since it was forced. */
final class MemoryFolder implements Node {
    /**
     * A change of a name.
     *
     * @param order among all changes of names of the disk
     * @param from the old name if it is a rename
     * @param node what gets the name; for a deletion, what loses it
     */
    private record Change(
            long order, String name, @Nullable String from, Node node, boolean deletion) {}

    private final TreeMap<String, Node> seen = new TreeMap<>();
    private final TreeMap<String, Node> forced = new TreeMap<>();
    private final List<Change> pending = new ArrayList<>();

    Map<String, Node> names() {
        return seen;
    }

    void put(long order, String name, Node node) {
        seen.put(name, node);
        pending.add(new Change(order, name, null, node, false));
    }

    void rename(long order, String from, String to) {
        Node node = seen.remove(from);
        if (node == null) {
            throw new IllegalStateException("there is no " + from);
        }
        seen.put(to, node);
        pending.add(new Change(order, to, from, node, false));
    }

    void remove(long order, String name) {
        Node node = seen.remove(name);
        if (node != null) {
            pending.add(new Change(order, name, null, node, true));
        }
    }

    void force() {
        forced.clear();
        forced.putAll(seen);
        pending.clear();
    }

    /** Which changes of names a power cut leaves. */
    interface Kept {
        boolean keeps(long order);
    }

    /** What may be found after a power cut now, with all that is in it. */
    MemoryFolder afterPowerCut(Random random, Kept kept) {
        TreeMap<String, Node> left = new TreeMap<>(forced);
        for (Change change : pending) {
            if (!kept.keeps(change.order())) {
                continue;
            }
            if (change.deletion()) {
                left.remove(change.name(), change.node());
                continue;
            }
            String from = change.from();
            if (from != null) {
                left.remove(from, change.node());
            }
            left.put(change.name(), change.node());
        }
        MemoryFolder found = new MemoryFolder();
        for (Map.Entry<String, Node> entry : left.entrySet()) {
            Node node =
                    switch (entry.getValue()) {
                        case MemoryFile file -> file.afterPowerCut(random);
                        case MemoryFolder folder -> folder.afterPowerCut(random, kept);
                    };
            found.seen.put(entry.getKey(), node);
        }
        found.force();
        return found;
    }

    @Override
    public MemoryFolder copy() {
        return copy(new IdentityHashMap<>());
    }

    private MemoryFolder copy(Map<Node, Node> copies) {
        MemoryFolder copy = new MemoryFolder();
        copies.put(this, copy);
        seen.forEach((name, node) -> copy.seen.put(name, copy(node, copies)));
        forced.forEach((name, node) -> copy.forced.put(name, copy(node, copies)));
        for (Change change : pending) {
            copy.pending.add(
                    new Change(
                            change.order(),
                            change.name(),
                            change.from(),
                            copy(change.node(), copies),
                            change.deletion()));
        }
        return copy;
    }

    private static Node copy(Node node, Map<Node, Node> copies) {
        Node known = copies.get(node);
        if (known != null) {
            return known;
        }
        return switch (node) {
            case MemoryFile file -> {
                MemoryFile copy = file.copy();
                copies.put(file, copy);
                yield copy;
            }
            case MemoryFolder folder -> folder.copy(copies);
        };
    }
}
