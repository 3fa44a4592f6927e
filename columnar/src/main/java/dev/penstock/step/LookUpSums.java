package dev.penstock.step;

import java.util.BitSet;

/**
 * Sums of the hashes of columns ({@link dev.penstock.kernel.ValueSums}) that were made on the way,
 * while their values were looked up in a dictionary: those of other columns are left to be made.
 * Owned by one thread.
 */
public final class LookUpSums {
    private final long[] sums;
    private final BitSet known;

    LookUpSums(int columnCount) {
        sums = new long[columnCount];
        known = new BitSet(columnCount);
    }

    void clear() {
        known.clear();
    }

    void set(int column, long sum) {
        sums[column] = sum;
        known.set(column);
    }

    /** Whether the column has a sum. */
    public boolean has(int column) {
        return known.get(column);
    }

    /** The sum of a column that has one, over all rows, NULLs too. */
    public long of(int column) {
        return sums[column];
    }
}
