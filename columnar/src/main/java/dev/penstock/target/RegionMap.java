package dev.penstock.target;

import java.util.Arrays;
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

    /** Index of the region that holds an encoded key. */
    public int indexOf(byte[] key) {
        int low = 0;
        int high = regions.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (Arrays.compareUnsigned(regions.get(middle).range().start(), key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
