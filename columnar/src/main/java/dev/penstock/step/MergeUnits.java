package dev.penstock.step;

import dev.penstock.bytes.Printable;
import dev.penstock.convert.KeyFormatter;
import dev.penstock.segment.KeyReader;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentReader;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts the input of a merge into units: key ranges that hold about as many rows as the limit says.
 * All rows of one key are in one unit.
 *
 * <p>They are found from the sparse key indexes, and from keys between these where so many runs
 * overlap that what the indexes leave open is more than a unit. A key stands for the rows around
 * it, half of those to each neighbour, so that the estimate has no bias. After {@link #next}, the
 * current unit is the slices [0, {@link #sliceCount}).
 */
final class MergeUnits {
    private static final long MIN_UNIT_ROWS = 1 << 16;
    private static final long SLICE_ROWS = 1024;

    /** Most keys beyond those of the indexes, about: 5 MiB. */
    private static final long MAX_FURTHER_KEYS = 1 << 16;

    /** A number of rows that no two keys of an index have between them. */
    private static final long NO_FURTHER_KEYS = Long.MAX_VALUE;

    private record Entry(byte[] key, long weight) {}

    private final List<Merge.Run> runs;
    private final MergeMemory memory;
    private final @Nullable KeyReader keys;
    private final List<byte[]> boundaries = new ArrayList<>();
    private final List<Integer> byFirstKey = new ArrayList<>();
    private final byte[][] firstKeys;
    private final byte[][] lastKeys;
    private final long[] positions;
    private final int[] sliceRuns;
    private final long[] sliceFrom;
    private final long[] sliceTo;
    private int nextBoundary;
    private int sliceCount;
    private boolean disjoint;

    /**
     * Cuts runs into units.
     *
     * @param runs in the order of duplicates, none empty
     * @param memory most rows of a unit, about. Units of runs that follow each other are smaller,
     *     to stay in the cache; of runs that overlap large enough for slices of {@link #SLICE_ROWS}
     *     rows
     */
    MergeUnits(List<Merge.Run> runs, MergeMemory memory) {
        this.runs = runs;
        this.memory = memory;
        int count = runs.size();
        keys = count == 0 ? null : new KeyReader(runs.getFirst().reader());
        positions = new long[count];
        sliceRuns = new int[count];
        sliceFrom = new long[count];
        sliceTo = new long[count];
        firstKeys = new byte[count][];
        lastKeys = new byte[count][];
        for (int i = 0; i < count; i++) {
            firstKeys[i] = runs.get(i).reader().firstKey();
            lastKeys[i] = runs.get(i).reader().lastKey();
            byFirstKey.add(i);
        }
        byFirstKey.sort((a, b) -> Arrays.compareUnsigned(firstKeys[a], firstKeys[b]));
        boolean overlap = runsOverlap();
        long wanted = overlap ? count * SLICE_ROWS : 0;
        findBoundaries(
                Math.min(memory.unitRows(), Math.max(MIN_UNIT_ROWS, wanted)),
                overlap ? keyStep(memory.unitRows()) : NO_FURTHER_KEYS);
    }

    /**
     * Rows from key to key of a run, so that a unit is at most half a unit larger than it seems.
     */
    private long keyStep(long maxUnitRows) {
        long rows = 0;
        for (Merge.Run run : runs) {
            rows += run.reader().rowCount();
        }
        long step = Math.max(maxUnitRows / (2L * runs.size()), rows / MAX_FURTHER_KEYS);
        return Math.clamp(step, 1, SegmentFormat.KEY_INDEX_ROWS);
    }

    private boolean runsOverlap() {
        for (int i = 1; i < byFirstKey.size(); i++) {
            byte[] end = lastKeys[byFirstKey.get(i - 1)];
            if (Arrays.compareUnsigned(end, firstKeys[byFirstKey.get(i)]) >= 0) {
                return true;
            }
        }
        return false;
    }

    private void findBoundaries(long unitRows, long keyStep) {
        List<Entry> entries = new ArrayList<>();
        for (int run = 0; run < runs.size(); run++) {
            addEntries(run, unitRows, keyStep, entries);
        }
        entries.sort((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
        long doubledRows = 0;
        byte[] last = new byte[0];
        for (Entry entry : entries) {
            doubledRows += entry.weight;
            if (doubledRows >= 2 * unitRows && Arrays.compareUnsigned(last, entry.key) < 0) {
                boundaries.add(entry.key);
                last = entry.key;
                doubledRows = 0;
            }
        }
    }

    /** Rows from an entry of the index to the next one are in one block, and have one weight. */
    private void addEntries(int run, long unitRows, long keyStep, List<Entry> entries) {
        SegmentReader reader = runs.get(run).reader();
        int count = reader.keyCount();
        long before = 0;
        for (int i = 0; i < count; i++) {
            long row = reader.indexRow(i);
            long next = i + 1 == count ? reader.rowCount() : reader.indexRow(i + 1);
            int block = reader.blockOf(row);
            long step = keyStep == NO_FURTHER_KEYS ? next - row : keyStep(run, block, keyStep);
            long after = weight(run, block, Math.min(next - row, step), unitRows);
            entries.add(new Entry(reader.indexKey(i), before + after));
            before = after;
            for (byte[] key : reader.keys(row + step, next, step)) {
                row += step;
                after = weight(run, block, Math.min(next - row, step), unitRows);
                entries.add(new Entry(key, before + after));
                before = after;
            }
        }
    }

    private long weight(int run, int block, long rows, long unitRows) {
        return memory.weight(run, runs.get(run).reader(), block, rows, unitRows);
    }

    /** Fewer rows from key to key where rows are wide. */
    private long keyStep(int run, int block, long keyStep) {
        long weight = weight(run, block, keyStep, memory.unitRows());
        return Math.max(1, keyStep * keyStep / weight);
    }

    /** Goes to the next unit with rows; false if there is none. */
    boolean next() {
        while (nextBoundary <= boundaries.size()) {
            byte[] end = nextBoundary < boundaries.size() ? boundaries.get(nextBoundary) : null;
            nextBoundary++;
            slice(end);
            if (sliceCount > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Refuses the unit if it has so many rows of one key that they do not fit into memory; for
     * merges that drop all but one of them.
     */
    void checkSize() {
        if (rows() > 2 * memory.unitRows()) {
            memory.check(this, this::commonKey);
        }
    }

    /** The key in the middle of the longest slice: of a unit that could not be cut, most rows'. */
    private String commonKey() {
        int longest = 0;
        for (int slice = 1; slice < sliceCount; slice++) {
            if (to(slice) - from(slice) > to(longest) - from(longest)) {
                longest = slice;
            }
        }
        SegmentReader reader = reader(longest);
        byte[] key = new KeyReader(reader).copyOfKey((from(longest) + to(longest)) >>> 1);
        return Printable.shortened(
                KeyFormatter.format(reader.schema(), key), MergeKeys.MAX_KEY_TEXT);
    }

    private void slice(byte @Nullable [] end) {
        sliceCount = 0;
        disjoint = true;
        int previous = -1;
        for (Integer run : byFirstKey) {
            long to = rowsBefore(run, end);
            if (to > positions[run]) {
                disjoint &=
                        previous < 0
                                || Arrays.compareUnsigned(lastKeys[previous], firstKeys[run]) < 0;
                previous = run;
                sliceRuns[sliceCount] = run;
                sliceFrom[sliceCount] = positions[run];
                sliceTo[sliceCount] = to;
                sliceCount++;
                positions[run] = to;
            }
        }
        if (!disjoint) {
            sortByRun();
        }
    }

    private long rowsBefore(int run, byte @Nullable [] end) {
        SegmentReader reader = runs.get(run).reader();
        if (end == null || Arrays.compareUnsigned(lastKeys[run], end) < 0) {
            return reader.rowCount();
        }
        if (Arrays.compareUnsigned(firstKeys[run], end) >= 0) {
            return 0;
        }
        return reader.lowerBound(end, keys);
    }

    private void sortByRun() {
        long[] order = new long[sliceCount];
        for (int i = 0; i < sliceCount; i++) {
            order[i] = (long) sliceRuns[i] << 32 | i;
        }
        Arrays.sort(order);
        long[] from = Arrays.copyOf(sliceFrom, sliceCount);
        long[] to = Arrays.copyOf(sliceTo, sliceCount);
        for (int i = 0; i < sliceCount; i++) {
            sliceRuns[i] = (int) (order[i] >> 32);
            sliceFrom[i] = from[(int) order[i]];
            sliceTo[i] = to[(int) order[i]];
        }
    }

    int sliceCount() {
        return sliceCount;
    }

    /**
     * Index of a slice's run. Slices are in key order, or in the order of their runs if runs
     * overlap.
     */
    int run(int slice) {
        return sliceRuns[slice];
    }

    SegmentReader reader(int slice) {
        return runs.get(sliceRuns[slice]).reader();
    }

    long from(int slice) {
        return sliceFrom[slice];
    }

    long to(int slice) {
        return sliceTo[slice];
    }

    int rowCount() {
        return Math.toIntExact(rows());
    }

    long rows() {
        long rows = 0;
        for (int i = 0; i < sliceCount; i++) {
            rows += sliceTo[i] - sliceFrom[i];
        }
        return rows;
    }
}
