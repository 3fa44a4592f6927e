package dev.penstock.loader.pipeline;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnSums;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Sums of a chunk's rows, by region, made of the rows as they were parsed: before anything gathers
 * or encodes them. They travel in the fragments' headers. Owned by one thread.
 */
final class RegionSums {
    private final int columnCount;
    private final boolean wanted;
    private final ColumnSums[] regions;
    private final ColumnSums total;

    /** Of the rows of a chunk; -1: of none. */
    private int[] regionOf = new int[0];

    private int[] rows = new int[0];

    /**
     * @param wanted whether to make sums at all
     */
    RegionSums(int columnCount, int regionCount, boolean wanted) {
        this.columnCount = columnCount;
        this.wanted = wanted;
        regions = new ColumnSums[regionCount];
        Arrays.fill(regions, ColumnSums.NONE);
        total = new ColumnSums(columnCount);
    }

    /** A new chunk begins. */
    void begin() {
        Arrays.fill(regions, ColumnSums.NONE);
    }

    /**
     * Adds parsed rows.
     *
     * @param order for each place its row, each row once; null if rows and places are the same
     * @param bounds places of region i are {@code [bounds[i], bounds[i + 1])}
     */
    void add(ColumnBatch parsed, int @Nullable [] order, int[] bounds) {
        add(parsed, order, bounds, 0, parsed.rowCount());
    }

    /**
     * The same of rows [from, to) of a batch.
     *
     * @param order of the places of these rows
     */
    void add(ColumnBatch parsed, int @Nullable [] order, int[] bounds, int from, int to) {
        if (!wanted) {
            return;
        }
        int[] byRegion = order == null ? null : rows(order, bounds, from, to);
        for (int region = 0; region + 1 < bounds.length; region++) {
            int first = bounds[region];
            int end = bounds[region + 1];
            if (first == end) {
                continue;
            }
            ColumnSums sums = new ColumnSums(columnCount);
            if (byRegion == null || end - first == to - from) {
                sums.add(parsed, null, from + first, from + end);
            } else {
                sums.add(parsed, byRegion, first, end);
            }
            total.add(sums);
            if (regions[region].isNone()) {
                regions[region] = sums;
            } else {
                regions[region].add(sums);
            }
        }
    }

    /**
     * The rows of the places of each region, checked to be each of [from, to) once. They ascend
     * within a region, whatever their order: in that of keys every value would be a cache miss.
     */
    private int[] rows(int[] order, int[] bounds, int from, int to) {
        int count = to - from;
        regionOf = regionOf.length < count ? new int[count] : regionOf;
        rows = rows.length < count ? new int[count] : rows;
        Arrays.fill(regionOf, 0, count, -1);
        int[] next = new int[bounds.length];
        for (int region = 0; region + 1 < bounds.length; region++) {
            mark(order, bounds[region], bounds[region + 1], region);
            next[region] = bounds[region];
        }
        for (int row = 0; row < count; row++) {
            int region = regionOf[row];
            if (region < 0) {
                throw PenstockException.internal("an order of rows leaves one of them out");
            }
            rows[next[region]++] = from + row;
        }
        return rows;
    }

    private void mark(int[] order, int from, int to, int region) {
        for (int place = from; place < to; place++) {
            regionOf[order[place]] = region;
        }
    }

    /** Rows of the region are left out of its fragment. */
    void drop(int region, ColumnSums dropped) {
        if (wanted) {
            regions[region].subtract(dropped);
            total.subtract(dropped);
        }
    }

    /** Of the region's rows in this chunk; none if sums are not wanted. */
    ColumnSums of(int region) {
        return regions[region];
    }

    /** One sum per column over all chunks. */
    long[] total() {
        return total.columns();
    }
}
