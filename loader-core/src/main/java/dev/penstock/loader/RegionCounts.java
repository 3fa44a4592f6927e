package dev.penstock.loader;

import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionMap;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Rows per region in a dry run, where there are no receipts. Thread-safe. */
final class RegionCounts {
    private final Map<Long, Integer> indexes = new HashMap<>();
    private final AtomicLongArray rows;

    RegionCounts(RegionMap regions) {
        rows = new AtomicLongArray(regions.size());
        for (int i = 0; i < regions.size(); i++) {
            indexes.put(regions.region(i).regionId(), i);
        }
    }

    void add(FragmentHeader header) {
        Integer index = indexes.get(header.regionId());
        if (index != null) {
            rows.addAndGet(index, header.rowCount());
        }
    }

    long[] rows() {
        long[] counts = new long[rows.length()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = rows.get(i);
        }
        return counts;
    }
}
