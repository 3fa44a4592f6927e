package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;

import java.util.Arrays;

/** The ascending order of numbered byte strings: sorted as longs of a few bytes each. */
final class StringOrder {
    private static final int ENTRY_BITS = 12;

    /** Bytes by which entries are sorted at once. */
    private static final int SORT_BYTES = 6;

    /** New entries that are at most this share of the others are merged into them. */
    private static final int MERGED_SHARE = 4;

    private final byte[] store;
    private final int[] starts;
    private final int[] lengths;

    /**
     * @param store bytes of all strings; eight bytes behind the last one are readable
     * @param starts where a string's bytes start
     * @param lengths how many there are
     */
    StringOrder(byte[] store, int[] starts, int[] lengths) {
        this.store = store;
        this.starts = starts;
        this.lengths = lengths;
    }

    /**
     * The numbers of {@code size} entries in ascending order.
     *
     * @param size at most 4096
     * @param ordered as many entries, the first ones, are in ascending order
     */
    int[] sorted(int size, int ordered) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
        boolean few = (size - ordered) * MERGED_SHARE <= ordered;
        int first = few ? ordered : 0;
        sort(order, new long[size], first, size, 0);
        if (few) {
            mergeNew(order, ordered);
        }
        return order;
    }

    /** Moves the sorted new entries of an order to their places among the ones before. */
    private void mergeNew(int[] order, int ordered) {
        int[] added = Arrays.copyOfRange(order, ordered, order.length);
        int end = ordered;
        for (int i = added.length - 1; i >= 0; i--) {
            int place = lowerBound(added[i], end);
            System.arraycopy(order, place, order, place + i + 1, end - place);
            order[place + i] = added[i];
            end = place;
        }
    }

    /** How many of the first {@code end} entries, which are in order, are less than another. */
    private int lowerBound(int number, int end) {
        int from = starts[number];
        int to = from + lengths[number];
        int low = 0;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int start = starts[middle];
            if (ByteAccess.compare(store, start, start + lengths[middle], store, from, to) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Sorts entries {@code order[from .. to)}, which agree in their first {@code depth} bytes: as
     * longs of their next six bytes, how many there are, and the number; entries that agree in all
     * six and have more are then sorted by those.
     */
    private void sort(int[] order, long[] keys, int from, int to, int depth) {
        int next = depth;
        do {
            for (int i = from; i < to; i++) {
                keys[i] = sortKey(order[i], next);
            }
            Arrays.sort(keys, from, to);
            next += SORT_BYTES;
        } while (to - from > 1 && agree(keys[from], keys[to - 1]));
        for (int i = from; i < to; i++) {
            order[i] = (int) keys[i] & (1 << ENTRY_BITS) - 1;
        }
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || !agree(keys[i - 1], keys[i])) {
                if (i - start > 1) {
                    sort(order, keys, start, i, next);
                }
                start = i;
            }
        }
    }

    private static boolean agree(long left, long right) {
        return (left ^ right) >>> ENTRY_BITS == 0;
    }

    private long sortKey(int number, int depth) {
        int left = lengths[number] - depth;
        long bytes = ByteAccess.getLongBigEndian(store, starts[number] + depth);
        bytes &= ~(-1L >>> 8 * Math.min(left, SORT_BYTES));
        bytes |= (long) Math.min(left, SORT_BYTES + 1) << ENTRY_BITS;
        return (bytes | number) ^ Long.MIN_VALUE;
    }
}
