package dev.penstock.kv.region;

import dev.penstock.key.AscendingKeys;
import dev.penstock.key.KeyRange;
import dev.penstock.segment.KeyReader;
import dev.penstock.segment.SegmentReader;

import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.util.Arrays;
import java.util.List;

/**
 * The rows of a segment whose keys newer layers have, so that these decide. Goes by some blocks at
 * a time: where one side has few keys in their range they are looked up in the other, else both are
 * read in order. Owned by one thread.
 */
final class SupersededRows {
    /** To look up a key takes as long as to read about so many in order. */
    private static final int LOOKUP_KEYS = 32;

    /** What is decided about at a time. */
    private static final int UNIT_BLOCKS = 16;

    private final SegmentReader reader;
    private final NewerKeys.InSegment own;
    private final KeyRange range;
    private final List<NewerKeys> newer;
    private final KeyReader keys;
    private final Roaring64Bitmap found = new Roaring64Bitmap();

    /**
     * Of one segment.
     *
     * @param own the keys of the segment
     * @param range others do not matter
     */
    SupersededRows(NewerKeys.InSegment own, KeyRange range, List<NewerKeys> newer) {
        this.own = own;
        this.reader = own.reader();
        this.range = range;
        this.newer = newer;
        this.keys = own.keys();
    }

    /** Those of the blocks {@code [from, to)}, by their numbers in the segment. */
    Roaring64Bitmap of(int from, int to) {
        for (int block = from; block < to; block += UNIT_BLOCKS) {
            int end = Math.min(to, block + UNIT_BLOCKS);
            KeyRange unit = keysOf(block, end);
            if (unit.overlaps(range)) {
                KeyRange here = unit.intersect(range);
                long rows = reader.blockStartRow(end) - reader.blockStartRow(block);
                newer.forEach(others -> find(others, here, rows));
            }
        }
        return found;
    }

    private KeyRange keysOf(int from, int to) {
        byte[] last = reader.lastKey();
        byte[] end =
                to < reader.blockCount()
                        ? reader.key(reader.blockStartRow(to))
                        : Arrays.copyOf(last, last.length + 1);
        return new KeyRange(reader.key(reader.blockStartRow(from)), end);
    }

    private void find(NewerKeys others, KeyRange here, long rows) {
        long count = others.count(here, rows * LOOKUP_KEYS);
        if (count == 0) {
            return;
        }
        if (count * LOOKUP_KEYS <= rows) {
            lookUp(others.cursor(here));
        } else if (rows * LOOKUP_KEYS <= count) {
            lookUpOwn(others, here);
        } else {
            merge(others.cursor(here), here);
        }
    }

    /** Of few others. */
    private void lookUp(KeyedCursor others) {
        while (others.next()) {
            for (int row = 0; row < others.keys().size(); row++) {
                long same = keys.find(reader, others.keys().get(row));
                if (same >= 0) {
                    found.addLong(same);
                }
            }
        }
    }

    /** Among many others. */
    private void lookUpOwn(NewerKeys others, KeyRange here) {
        KeyedCursor mine = own.cursor(here);
        long first = reader.lowerBound(here.start(), keys);
        while (mine.next()) {
            int rows = mine.keys().size();
            for (int row = 0; row < rows; row++) {
                if (others.has(mine.keys().get(row))) {
                    found.addLong(first + row);
                }
            }
            first += rows;
        }
    }

    private void merge(KeyedCursor others, KeyRange here) {
        KeyedCursor mine = own.cursor(here);
        long first = reader.lowerBound(here.start(), keys);
        int row = 0;
        int other = 0;
        boolean more = mine.next() && others.next();
        while (more) {
            AscendingKeys ours = mine.keys();
            AscendingKeys theirs = others.keys();
            while (row < ours.size() && other < theirs.size()) {
                int order = ours.compare(row, theirs, other);
                if (order == 0) {
                    found.addLong(first + row);
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
                more &= others.next();
            }
        }
    }
}
