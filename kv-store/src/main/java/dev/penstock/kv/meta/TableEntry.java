package dev.penstock.kv.meta;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.TableDescriptor;

import java.util.Arrays;
import java.util.TreeMap;

/** A table and its regions by start key. */
record TableEntry(TableDescriptor descriptor, TreeMap<byte[], RegionEntry> regions) {
    /** A region and the server that hosts it. */
    record RegionEntry(long regionId, KeyRange range, String serverId) {}

    static TableEntry of(TableDescriptor descriptor) {
        return new TableEntry(descriptor, new TreeMap<>(Arrays::compareUnsigned));
    }

    void add(RegionEntry region) {
        regions.put(region.range().start(), region);
    }
}
