package dev.penstock.batch;

import dev.penstock.kernel.BitRange;

import java.util.Arrays;

/**
 * Which rows of a column hold a value. While no row is NULL no bits are kept at all, so that the
 * common case costs nothing.
 */
public final class Validity {
    /** The bits of rows of which none is NULL. */
    public static final long[] NO_WORDS = new long[0];

    private long[] words = NO_WORDS;
    private boolean hasNulls;

    public boolean hasNulls() {
        return hasNulls;
    }

    public boolean isValid(int row) {
        return !hasNulls || (words[row >> 6] >>> row & 1) != 0;
    }

    /** Bits, 1 = not NULL; meaningful only if {@link #hasNulls}. Covers at least the given rows. */
    public long[] words() {
        return words;
    }

    /** Forgets all NULLs. */
    public void clear() {
        hasNulls = false;
    }

    /** Makes {@code row} NULL. {@code rowCapacity} is the number of rows that bits must cover. */
    public void setNull(int row, int rowCapacity) {
        ensureBits(Math.max(rowCapacity, row + 1));
        words[row >> 6] &= ~(1L << row);
    }

    /** Makes {@code count} rows from {@code row} on NULL. */
    public void setAllNull(int row, int count) {
        ensureBits(row + count);
        BitRange.clear(words, row, count);
    }

    /**
     * Makes those of {@code count} rows from {@code row} on NULL whose bit in {@code nulls} is set:
     * bit i stands for row {@code row + i}, and bits beyond {@code count} are 0.
     */
    public void setNulls(int row, int count, long[] nulls) {
        ensureBits(row + count);
        for (int i = 0; i << 6 < count; i++) {
            int word = (row >> 6) + i;
            words[word] &= ~(nulls[i] << row);
            long beyond = nulls[i] >>> 1 >>> ~row;
            if (beyond != 0) {
                words[word + 1] &= ~beyond;
            }
        }
    }

    /** Turns bits on (all valid) and makes them cover at least {@code rowCapacity} rows. */
    public void ensureBits(int rowCapacity) {
        int needed = (rowCapacity + 63) >> 6;
        if (!hasNulls) {
            if (words.length < needed) {
                words = new long[needed];
            }
            Arrays.fill(words, -1L);
            hasNulls = true;
        } else if (words.length < needed) {
            int old = words.length;
            words = Arrays.copyOf(words, Math.max(needed, old + (old >> 1)));
            Arrays.fill(words, old, words.length, -1L);
        }
    }

    /** Says that rows from {@code row} on are not NULL. */
    public void setValid(int row, int count) {
        if (hasNulls) {
            ensureBits(row + count);
            BitRange.set(words, row, count);
        }
    }

    /** Replaces all rows by rows [from, from + count) of another. */
    public void replace(Validity source, int from, int count) {
        clear();
        if (source.hasNulls) {
            ensureBits(count);
            BitRange.copy(source.words, from, words, 0, count);
        }
    }

    /** Exchanges all bits with another. */
    public void swap(Validity other) {
        long[] mine = words;
        words = other.words;
        other.words = mine;
        boolean had = hasNulls;
        hasNulls = other.hasNulls;
        other.hasNulls = had;
    }

    /** NULLs among the first {@code rowCount} rows. */
    public int nullCount(int rowCount) {
        if (!hasNulls) {
            return 0;
        }
        int valid = 0;
        int full = rowCount >> 6;
        for (int i = 0; i < full; i++) {
            valid += Long.bitCount(words[i]);
        }
        if ((rowCount & 63) != 0) {
            valid += Long.bitCount(words[full] & ((1L << rowCount) - 1));
        }
        return rowCount - valid;
    }

    /** The number of words that {@code rowCount} rows take. */
    public static int wordCount(int rowCount) {
        return (rowCount + 63) >> 6;
    }
}
