package dev.penstock.target;

import dev.penstock.key.KeyRange;

import java.util.List;

/** All regions of a table in key order, without gaps. */
public record RegionMap(String table, List<RegionInfo> regions) {
    public RegionMap {
        regions = List.copyOf(regions);
        if (regions.isEmpty()) {
            throw new IllegalArgumentException("table " + table + " has no region");
        }
    }

    public int size() {
        return regions.size();
    }

    public RegionInfo region(int index) {
        return regions.get(index);
    }

    /** The first key of each region. */
    public List<byte[]> starts() {
        return regions.stream().map(region -> region.range().start()).toList();
    }

    /** Index of the region that holds an encoded key. */
    public int indexOf(byte[] key) {
        return KeyRange.indexOf(regions, RegionInfo::range, key);
    }
}
