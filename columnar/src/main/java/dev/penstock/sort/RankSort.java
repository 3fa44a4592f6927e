package dev.penstock.sort;

import java.util.Arrays;

/**
 * Finds the order of longs by some of their bits, if these are distinct numbers that lie close
 * together: each sets its bit among as many bits as there are numbers, and its place is how many
 * are set before it. Two passes of one access to a small array each, where a radix sort moves all
 * values several times.
 *
 * <p>Owned by one thread.
 */
final class RankSort {
    /** Most bits for a value: with more, the bits do not stay in the cache. */
    private static final int MAX_SLOTS_EACH = 16;

    private static final int MAX_BITS = 28;

    /** Below it sorting is as fast. */
    private static final int MIN_VALUES = 1 << 10;

    private long[] present = new long[0];

    /** Values below each word of {@link #present}. */
    private int[] before = new int[0];

    /** Whether so many values of so many bits are close enough together. */
    static boolean pays(int count, int bits) {
        return count >= MIN_VALUES
                && bits <= MAX_BITS
                && 1L << bits <= (long) MAX_SLOTS_EACH * count;
    }

    /**
     * Puts the indexes of {@code values[0 .. count)} into {@code order} by their bits [from, from +
     * bits), above which they are 0; false, with {@code order} undefined, if two are the same.
     */
    boolean run(long[] values, int count, int from, int bits, int[] order) {
        int words = Math.max(1, 1 << bits >> 6);
        clear(words);
        if (!mark(values, count, from, present)) {
            return false;
        }
        sum(words);
        place(values, count, from, present, before, order);
        return true;
    }

    private void clear(int words) {
        if (present.length < words) {
            present = new long[words];
            before = new int[words];
        } else {
            Arrays.fill(present, 0, words, 0);
        }
    }

    /** Sets a bit for each value; false if one was set already. */
    private static boolean mark(long[] values, int count, int from, long[] present) {
        long twice = 0;
        for (int i = 0; i < count; i++) {
            long value = values[i] >>> from;
            int word = (int) (value >>> 6);
            long bit = 1L << value;
            long seen = present[word];
            twice |= seen & bit;
            present[word] = seen | bit;
        }
        return twice == 0;
    }

    private void sum(int words) {
        int sum = 0;
        for (int i = 0; i < words; i++) {
            before[i] = sum;
            sum += Long.bitCount(present[i]);
        }
    }

    private static void place(
            long[] values, int count, int from, long[] present, int[] before, int[] order) {
        for (int i = 0; i < count; i++) {
            long value = values[i] >>> from;
            int word = (int) (value >>> 6);
            long below = present[word] & (1L << value) - 1;
            order[before[word] + Long.bitCount(below)] = i;
        }
    }
}
