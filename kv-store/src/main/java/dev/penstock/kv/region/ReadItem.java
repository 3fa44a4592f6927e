package dev.penstock.kv.region;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.SegmentFile;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * A segment or the rows in memory that a read of a range has to look at.
 *
 * @param first key
 * @param last key
 * @param layer order of age, 0 = newest
 * @param source the layer of the segment, null for rows in memory
 * @param segment null for rows in memory
 */
record ReadItem(
        byte[] first,
        byte[] last,
        int layer,
        @Nullable Layer source,
        @Nullable SegmentFile segment) {

    /** Those of a snapshot whose key extents overlap, together, in key order. */
    static List<List<ReadItem>> groups(RegionSnapshot snapshot, KeyRange range) {
        List<ReadItem> items = items(snapshot, range);
        items.sort((a, b) -> Arrays.compareUnsigned(a.first(), b.first()));
        List<List<ReadItem>> groups = new ArrayList<>();
        List<ReadItem> group = new ArrayList<>();
        byte[] groupEnd = new byte[0];
        for (ReadItem item : items) {
            if (!group.isEmpty() && Arrays.compareUnsigned(item.first(), groupEnd) > 0) {
                groups.add(group);
                group = new ArrayList<>();
            }
            if (group.isEmpty() || Arrays.compareUnsigned(item.last(), groupEnd) > 0) {
                groupEnd = item.last();
            }
            group.add(item);
        }
        if (!group.isEmpty()) {
            groups.add(group);
        }
        return groups;
    }

    /** Whether a key may be in both. */
    boolean overlaps(ReadItem other) {
        return Arrays.compareUnsigned(first, other.last) <= 0
                && Arrays.compareUnsigned(other.first, last) <= 0;
    }

    private static List<ReadItem> items(RegionSnapshot snapshot, KeyRange range) {
        List<ReadItem> items = new ArrayList<>();
        int age = 0;
        for (Delta.Snapshot delta : snapshot.deltas()) {
            ConcurrentNavigableMap<byte[], Delta.Version> rows = delta.range(range);
            var first = rows.firstEntry();
            var last = rows.lastEntry();
            if (first != null && last != null) {
                items.add(new ReadItem(first.getKey(), last.getKey(), age, null, null));
            }
            age++;
        }
        for (Layer layer : snapshot.layers()) {
            for (SegmentFile segment : layer.overlapping(range)) {
                items.add(new ReadItem(segment.firstKey(), segment.lastKey(), age, layer, segment));
            }
            age++;
        }
        return items;
    }
}
