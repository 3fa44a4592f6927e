package dev.penstock.dict;

import dev.penstock.kernel.ByteStrings;

import java.util.Arrays;

/**
 * A lower bound of the number of different values, found an order of magnitude faster than a
 * dictionary: each value sets one bit that its hash says, and no more bits can be set than there
 * are different values. What tells that a column has too many values for a dictionary. Owned by one
 * thread.
 */
public final class DistinctBound {
    private static final int BITS = 16;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final long[] seen = new long[1 << BITS - 6];

    /** Forgets all values. */
    public void clear() {
        Arrays.fill(seen, 0);
    }

    /** Takes in the first {@code count} values. */
    public void add(long[] values, int count) {
        long[] bits = seen;
        for (int i = 0; i < count; i++) {
            mark(bits, (values[i] ^ values[i] >>> 32) * FACTOR);
        }
    }

    /** Takes in the first {@code count} byte strings, each by its ends and its length only. */
    public void add(int[] offsets, byte[] data, int count) {
        long[] bits = seen;
        for (int i = 0; i < count; i++) {
            int start = offsets[i];
            int length = offsets[i + 1] - start;
            int tail = Math.min(length, 8);
            long head = ByteStrings.head(data, start, length);
            long end = ByteStrings.head(data, start + length - tail, tail);
            mark(bits, ((head * FACTOR >>> 29) + end ^ length) * FACTOR);
        }
    }

    /** Takes in the first {@code count} rows of one block of codes, each by its codes. */
    public void add(TokenColumn column, int count) {
        long[] bits = seen;
        int[] offsets = column.offsets();
        for (int i = 0; i < count; i++) {
            long hash = (long) offsets[i + 1] - offsets[i];
            for (int at = offsets[i]; at < offsets[i + 1]; at++) {
                hash = (hash + column.code(at)) * FACTOR;
                hash ^= hash >>> 29;
            }
            mark(bits, hash * FACTOR);
        }
    }

    private static void mark(long[] bits, long hash) {
        int bit = (int) (hash >>> 64 - BITS);
        bits[bit >> 6] |= 1L << bit;
    }

    /** No fewer different values were taken in. */
    public int least() {
        int count = 0;
        for (long bits : seen) {
            count += Long.bitCount(bits);
        }
        return count;
    }
}
