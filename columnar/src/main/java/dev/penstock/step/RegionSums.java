package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnHashes;
import dev.penstock.batch.ColumnSums;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.ValueSums;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Sums of a chunk's rows, by region, made of the rows as they were parsed: before anything gathers
 * or encodes them. They travel in the fragments' headers. Owned by one thread.
 *
 * <p>Reading a chunk's columns a second time costs far more than hashing them, for they do not fit
 * into a core's caches. So where rows come in the order of their keys, sums are made of each part
 * right after it was parsed, and become those of regions when it is known where these begin. Where
 * the rows of the chunk before had to be put in order, each row's region is waited for instead, and
 * sums are made column by column, right before a column is encoded.
 */
public final class RegionSums {
    private final int columnCount;
    private final boolean wanted;
    private final ColumnSums[] regions;
    private final ColumnSums total;
    private final ColumnHashes hashes = new ColumnHashes();

    /** The regions that have rows in what is being added. */
    private final int[] present;

    private int presentCount;

    /** Of each row, {@link ValueSums#LANES} times the place of its region in {@link #present}. */
    private int[] groups = new int[0];

    /** Of one column: {@link ValueSums#LANES} sums of each region that has rows. */
    private long[] laneSums = new long[0];

    private final PartSums parts;
    private boolean inOrder = true;

    /** Whether columns are still to be added to regions by {@link #addColumn}. */
    private boolean byColumn;

    /**
     * @param wanted whether to make sums at all
     */
    public RegionSums(int columnCount, int regionCount, boolean wanted) {
        this.columnCount = columnCount;
        this.wanted = wanted;
        regions = new ColumnSums[regionCount];
        Arrays.fill(regions, ColumnSums.NONE);
        total = new ColumnSums(columnCount);
        present = new int[regionCount];
        parts = new PartSums(columnCount, hashes);
    }

    /** A new chunk begins. */
    public void begin() {
        byColumn = false;
        Arrays.fill(regions, ColumnSums.NONE);
        parts.clear();
    }

    /** All rows of the batch that are new since the last call, or the beginning, were parsed. */
    public void parsed(ColumnBatch batch) {
        if (wanted && inOrder) {
            parts.add(batch);
        }
    }

    /**
     * Adds parsed rows.
     *
     * @param order for each place its row, each row once; null if rows and places are the same
     * @param bounds places of region i are {@code [bounds[i], bounds[i + 1])}
     */
    public void add(ColumnBatch parsed, int @Nullable [] order, int[] bounds) {
        add(parsed, order, bounds, 0, parsed.rowCount());
    }

    /**
     * The same of rows [from, to) of a batch.
     *
     * @param order of the places of these rows
     */
    public void add(ColumnBatch parsed, int @Nullable [] order, int[] bounds, int from, int to) {
        if (wanted && !addSlices(parsed, order, bounds, from, to)) {
            for (int column = 0; column < columnCount; column++) {
                addGroups(parsed, column, 0, from, to);
            }
        }
    }

    /**
     * Adds parsed rows as {@link #add} does, or begins to: where they do not lie in the order of
     * their regions, {@link #addColumn} is to be called for all rows of all columns.
     */
    public void addByColumn(ColumnBatch parsed, int @Nullable [] order, int[] bounds) {
        byColumn = wanted && !addSlices(parsed, order, bounds, 0, parsed.rowCount());
    }

    /**
     * Adds rows if those of each region follow each other. Else finds each row's region; false:
     * their columns are still to be added.
     */
    private boolean addSlices(
            ColumnBatch parsed, int @Nullable [] order, int[] bounds, int from, int to) {
        inOrder = order == null;
        findPresent(bounds);
        if (order != null && presentCount > 1) {
            group(order, bounds, to - from);
            return false;
        }
        for (int i = 0; i < presentCount; i++) {
            int region = present[i];
            addSlice(parsed, region, from + bounds[region], from + bounds[region + 1]);
        }
        return true;
    }

    /** Adds rows [from, to) of a column, as they lie, if that has not been done yet. */
    public void addColumn(ColumnBatch parsed, int column, int from, int to) {
        if (byColumn) {
            addGroups(parsed, column, from, from, to);
        }
    }

    /** Notes the regions that rows belong to. */
    private void findPresent(int[] bounds) {
        presentCount = 0;
        for (int region = 0; region + 1 < bounds.length; region++) {
            if (bounds[region] < bounds[region + 1]) {
                present[presentCount++] = region;
                if (regions[region].isNone()) {
                    regions[region] = new ColumnSums(columnCount);
                }
            }
        }
    }

    /** Adds rows that follow each other, all of one region. */
    private void addSlice(ColumnBatch parsed, int region, int first, int end) {
        regions[region].addRows(end - first);
        total.addRows(end - first);
        long[] sums = parts.of(parsed, first, end);
        for (int column = 0; column < columnCount; column++) {
            long sum = sums[column];
            regions[region].addToColumn(column, sum);
            total.addToColumn(column, sum);
        }
    }

    /** Finds each row's region, as a place in {@link #laneSums}; each row must have one. */
    private void group(int[] order, int[] bounds, int count) {
        if (groups.length < count) {
            groups = new int[count + (count >> 2)];
        }
        if (laneSums.length < presentCount * ValueSums.LANES) {
            laneSums = new long[presentCount * ValueSums.LANES];
        }
        Arrays.fill(groups, 0, count, -1);
        for (int i = 0; i < presentCount; i++) {
            int region = present[i];
            scatter(order, bounds[region], bounds[region + 1], i * ValueSums.LANES, groups);
            regions[region].addRows(bounds[region + 1] - bounds[region]);
        }
        total.addRows(count);
        if (lowest(groups, count) < 0) {
            throw PenstockException.internal("an order of rows has one of them twice");
        }
    }

    private static void scatter(int[] order, int from, int to, int value, int[] out) {
        for (int i = from; i < to; i++) {
            out[order[i]] = value;
        }
    }

    private static int lowest(int[] values, int count) {
        int lowest = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            lowest = Math.min(lowest, values[i]);
        }
        return lowest;
    }

    /**
     * Adds rows of several regions in the order in which they were parsed: going from region to
     * region would read a column in the order of the keys, far slower.
     *
     * @param groupsFrom where the regions of the rows begin
     */
    private void addGroups(ColumnBatch parsed, int column, int groupsFrom, int from, int to) {
        int lanes = presentCount * ValueSums.LANES;
        Arrays.fill(laneSums, 0, lanes, 0);
        hashes.addTo(laneSums, groups, groupsFrom, parsed.column(column), from, to);
        for (int lane = 0; lane < lanes; lane++) {
            int region = present[lane / ValueSums.LANES];
            regions[region].addToColumn(column, laneSums[lane]);
            total.addToColumn(column, laneSums[lane]);
        }
    }

    /** Rows of the region are left out of its fragment. */
    public void drop(int region, ColumnSums dropped) {
        if (wanted) {
            regions[region].subtract(dropped);
            total.subtract(dropped);
        }
    }

    /** Of the region's rows in this chunk; none if sums are not wanted. */
    public ColumnSums of(int region) {
        return regions[region];
    }

    /** One sum per column over all chunks. */
    public long[] total() {
        return total.columns();
    }
}
