package dev.penstock.kv.region;

import dev.penstock.key.AscendingKeys;
import dev.penstock.key.KeyRange;
import dev.penstock.segment.KeyReader;
import dev.penstock.segment.LeftOutRows;
import dev.penstock.segment.SegmentReader;

import org.jspecify.annotations.Nullable;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The rows of a segment whose keys newer layers have, so that these decide. Some blocks are looked
 * at together, once a row of one of them is selected: where one side has few keys in their range,
 * or few rows are selected, keys are looked up in the other side, else both are read in order.
 * Owned by one thread.
 */
final class SupersededRows implements LeftOutRows {
    /** To look up a key takes as long as to read about so many in order. */
    private static final int LOOKUP_KEYS = 32;

    /** Of a unit. */
    private static final int UNIT_BLOCKS = 16;

    private final SegmentReader reader;
    private final NewerKeys.InSegment own;
    private final KeyRange range;
    private final Supplier<List<NewerKeys>> opening;
    private final KeyReader keys;

    private @Nullable List<NewerKeys> newer;

    // Of the unit that was looked at last

    private int unit = -1;
    private long unitStart;
    private KeyRange unitKeys = KeyRange.ALL;
    private final List<Present> others = new ArrayList<>();

    /** So many keys may be looked up one by one before it pays to find the unit's rows at once. */
    private long lookUps;

    /** Rows, counted from the unit's first; null if not known yet. */
    private @Nullable RoaringBitmap found;

    /**
     * Newer keys in the unit's range, of which there are so many, or at least as many as matter.
     */
    private record Present(NewerKeys keys, long count) {}

    /**
     * Of one segment.
     *
     * @param own the keys of the segment
     * @param range others do not matter
     * @param newer opens those that overlap the segment, when the first row is selected
     */
    SupersededRows(NewerKeys.InSegment own, KeyRange range, Supplier<List<NewerKeys>> newer) {
        this.own = own;
        this.reader = own.reader();
        this.range = range;
        this.opening = newer;
        this.keys = own.keys();
    }

    @Override
    public void clear(int block, long[] bits, int count) {
        goTo(block / UNIT_BLOCKS);
        if (others.isEmpty()) {
            return;
        }
        long start = reader.blockStartRow(block);
        long each = (long) count * others.size();
        if (found == null && each <= lookUps) {
            lookUps -= each;
            clearOneByOne(start, bits);
            return;
        }
        RoaringBitmap rows = found();
        int base = (int) (start - unitStart);
        PeekableIntIterator superseded = rows.getIntIterator();
        superseded.advanceIfNeeded(base);
        while (superseded.hasNext() && superseded.peekNext() < base + reader.blockRows(block)) {
            int row = superseded.next() - base;
            bits[row >> 6] &= ~(1L << row);
        }
    }

    private void goTo(int wanted) {
        if (unit == wanted) {
            return;
        }
        unit = wanted;
        found = null;
        others.clear();
        int from = unit * UNIT_BLOCKS;
        int to = Math.min(reader.blockCount(), from + UNIT_BLOCKS);
        unitStart = reader.blockStartRow(from);
        KeyRange all = keysOf(unitStart, reader.blockStartRow(to));
        if (all.overlaps(range)) {
            unitKeys = all.intersect(range);
            long most = unitRows() * LOOKUP_KEYS;
            newer().forEach(some -> add(new Present(some, some.count(unitKeys, most))));
        }
        lookUps = others.stream().mapToLong(some -> lookUpsLike(some.count, unitRows())).sum();
    }

    private List<NewerKeys> newer() {
        List<NewerKeys> known = newer;
        if (known == null) {
            known = opening.get();
            newer = known;
        }
        return known;
    }

    /** As long as so many keys are looked up takes what {@link #find} does. */
    private static long lookUpsLike(long count, long rows) {
        long few = Math.min(count, rows);
        return Math.min(few, (count + rows) / LOOKUP_KEYS);
    }

    private void add(Present some) {
        if (some.count > 0) {
            others.add(some);
        }
    }

    private long unitRows() {
        int to = Math.min(reader.blockCount(), (unit + 1) * UNIT_BLOCKS);
        return reader.blockStartRow(to) - unitStart;
    }

    private KeyRange keysOf(long from, long to) {
        byte[] first = keys.copyOfKey(from);
        return to < reader.rowCount()
                ? new KeyRange(first, keys.copyOfKey(to))
                : KeyRange.closed(first, reader.lastKey());
    }

    private void clearOneByOne(long start, long[] bits) {
        for (int word = 0; word < bits.length; word++) {
            for (long left = bits[word]; left != 0; left &= left - 1) {
                int row = (word << 6) + Long.numberOfTrailingZeros(left);
                byte[] key = keys.copyOfKey(start + row);
                if (others.stream().anyMatch(some -> some.keys.has(key))) {
                    bits[word] &= ~(1L << row);
                }
            }
        }
    }

    private RoaringBitmap found() {
        RoaringBitmap rows = found;
        if (rows == null) {
            rows = new RoaringBitmap();
            found = rows;
            for (Present some : others) {
                find(some, rows);
            }
        }
        return rows;
    }

    private void find(Present some, RoaringBitmap out) {
        long rows = unitRows();
        if (some.count * LOOKUP_KEYS <= rows) {
            lookUp(some.keys.cursor(unitKeys), out);
        } else if (rows * LOOKUP_KEYS <= some.count) {
            lookUpOwn(some.keys, out);
        } else {
            merge(some.keys.cursor(unitKeys), out);
        }
    }

    /** Of few others. */
    private void lookUp(KeyedCursor few, RoaringBitmap out) {
        while (few.next()) {
            for (int row = 0; row < few.keys().size(); row++) {
                long same = keys.find(reader, few.keys().get(row));
                if (same >= 0) {
                    out.add((int) (same - unitStart));
                }
            }
        }
    }

    /** Among many others. */
    private void lookUpOwn(NewerKeys many, RoaringBitmap out) {
        KeyedCursor mine = own.cursor(unitKeys);
        int first = firstRow();
        while (mine.next()) {
            int rows = mine.keys().size();
            for (int row = 0; row < rows; row++) {
                if (many.has(mine.keys().get(row))) {
                    out.add(first + row);
                }
            }
            first += rows;
        }
    }

    /** The first row that has a key of the unit's range, counted from the unit's first. */
    private int firstRow() {
        return (int) (reader.lowerBound(unitKeys.start(), keys) - unitStart);
    }

    private void merge(KeyedCursor newest, RoaringBitmap out) {
        KeyedCursor mine = own.cursor(unitKeys);
        int first = firstRow();
        int row = 0;
        int other = 0;
        boolean more = mine.next() && newest.next();
        while (more) {
            AscendingKeys ours = mine.keys();
            AscendingKeys theirs = newest.keys();
            while (row < ours.size() && other < theirs.size()) {
                int order = ours.compare(row, theirs, other);
                if (order == 0) {
                    out.add(first + row);
                }
                row += order <= 0 ? 1 : 0;
                other += order >= 0 ? 1 : 0;
            }
            if (row == ours.size()) {
                first += row;
                row = 0;
                more = mine.next();
            }
            if (other == theirs.size()) {
                other = 0;
                more &= newest.next();
            }
        }
    }
}
