package dev.penstock.kv.region;

import dev.penstock.kv.region.WriteOperation.Change;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes rows only if their keys have none. What lies below the active rows in memory is asked
 * without a lock, as it does not change while the region's view stays; the active rows and the view
 * are looked at under the write lock, just before the change is appended.
 */
final class NewKeys {
    static final long ALL_NEW = RegionWrites.NO_OBSTACLE;

    /** As an obstacle: the region has gone on meanwhile, and is to be asked again. */
    private static final long GONE_ON = -2;

    private final RegionStructure structure;
    private final RegionWrites writes;
    private final RowLookup lookup;
    private final PromisedKeys promised;

    NewKeys(
            RegionStructure structure,
            RegionWrites writes,
            RowLookup lookup,
            PromisedKeys promised) {
        this.structure = structure;
        this.writes = writes;
        this.lookup = lookup;
        this.promised = promised;
    }

    /**
     * Durable and visible on return, if it was written.
     *
     * @return {@link #ALL_NEW}, or the index of the first change whose key has a row or is that of
     *     a change before it
     */
    long write(WriteOperation rows) {
        int twice = firstRepeated(rows.changes());
        List<Change> asked = twice < 0 ? rows.changes() : rows.changes().subList(0, twice);
        long present = writeOnce(rows, asked, twice);
        while (present == GONE_ON) {
            structure.awaitInstalled();
            present = writeOnce(rows, asked, twice);
        }
        return present;
    }

    private long writeOnce(WriteOperation rows, List<Change> asked, int twice) {
        long promises = promised.check(asked);
        RegionView view = structure.acquire();
        try (RegionSnapshot below = RegionSnapshot.belowActive(view)) {
            BitSet stored = below.read(() -> stored(asked, below));
            return writes.insert(
                    rows,
                    active ->
                            structure.isCurrent(view) && promised.version() == promises
                                    ? firstPresent(asked, active.everything(), stored, twice)
                                    : GONE_ON);
        }
    }

    private BitSet stored(List<Change> asked, RegionSnapshot below) {
        BitSet stored = new BitSet(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            stored.set(i, lookup.has(below, asked.get(i).key()));
        }
        return stored;
    }

    /** Index of the first key with a row, or else {@code absent}. */
    private static long firstPresent(
            List<Change> asked, Delta.Snapshot active, BitSet stored, int absent) {
        for (int i = 0; i < asked.size(); i++) {
            Delta.Version version = active.get(asked.get(i).key());
            if (version == null ? stored.get(i) : version.row() != null) {
                return i;
            }
        }
        return absent;
    }

    /** Index of the first key that is that of a change before it, or -1. */
    private static int firstRepeated(List<Change> changes) {
        if (changes.size() == 1) {
            return -1;
        }
        Set<ByteBuffer> seen = HashSet.newHashSet(changes.size());
        for (int i = 0; i < changes.size(); i++) {
            if (!seen.add(ByteBuffer.wrap(changes.get(i).key()))) {
                return i;
            }
        }
        return -1;
    }
}
