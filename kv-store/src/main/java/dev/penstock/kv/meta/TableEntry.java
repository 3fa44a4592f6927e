package dev.penstock.kv.meta;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.TableDescriptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * A table.
 *
 * @param regions by start key
 * @param loads that were published into it, oldest first
 */
record TableEntry(
        TableDescriptor descriptor,
        TreeMap<byte[], RegionEntry> regions,
        List<PublishedLoad> loads) {
    /** A region and the server that hosts it. */
    record RegionEntry(long regionId, KeyRange range, String serverId) {}

    static TableEntry of(TableDescriptor descriptor) {
        return new TableEntry(
                descriptor, new TreeMap<>(Arrays::compareUnsigned), new ArrayList<>());
    }

    void add(RegionEntry region) {
        regions.put(region.range().start(), region);
    }
}
