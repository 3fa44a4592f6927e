package dev.penstock.batch;

import dev.penstock.kernel.NullSlots;
import dev.penstock.kernel.ValueSums;

/**
 * The hashes of a column's values ({@link ValueSums}), a window at a time, and their sums. Owned by
 * one thread; keeps scratch memory and nothing of what it is given.
 */
public final class ColumnHashes {
    private final long[] window = new long[ValueSums.WINDOW];

    /** The sum of rows [from, to). */
    public long sum(ColumnData data, int from, int to) {
        long sum = 0;
        for (int row = from; row < to; row += ValueSums.WINDOW) {
            int count = Math.min(ValueSums.WINDOW, to - row);
            if (data.validity().hasNulls()) {
                fill(data, row, count);
                sum += ValueSums.sum(window, count);
            } else {
                sum += sumOfValid(data, row, count);
            }
        }
        return sum;
    }

    private long sumOfValid(ColumnData data, int row, int count) {
        return switch (data) {
            case LongColumn longs -> ValueSums.sumLongs(longs.values(), row, count, window);
            case BytesColumn strings ->
                    ValueSums.hashStrings(strings.offsets(), strings.data(), row, count, window);
        };
    }

    /**
     * Adds rows [from, to) to sums of their groups, as {@link ValueSums#sumGroups} does.
     *
     * @param groups of row {@code from + i} is {@code groups[i]}
     */
    public void addTo(long[] sums, int[] groups, ColumnData data, int from, int to) {
        for (int row = from; row < to; row += ValueSums.WINDOW) {
            int count = Math.min(ValueSums.WINDOW, to - row);
            fill(data, row, count);
            ValueSums.sumGroups(window, count, groups, row - from, sums);
        }
    }

    private void fill(ColumnData data, int row, int count) {
        switch (data) {
            case LongColumn longs -> ValueSums.hashLongs(longs.values(), row, count, window);
            case BytesColumn strings ->
                    ValueSums.hashStrings(strings.offsets(), strings.data(), row, count, window);
        }
        if (data.validity().hasNulls()) {
            long[] words = data.validity().words();
            NullSlots.fill(window, 0, count, words, row, ValueSums.NULL_HASH);
        }
    }
}
