package dev.penstock.batch;

import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.NullSlots;
import dev.penstock.kernel.SpanKernels;
import dev.penstock.kernel.ValueSums;

import java.util.Arrays;

/**
 * The hashes of a column's values ({@link ValueSums}), a window at a time, and their sums. Owned by
 * one thread; keeps scratch memory and nothing of what it is given.
 */
public final class ColumnHashes {
    private final long[] window = new long[ValueSums.WINDOW];

    /** The sum of rows [from, to). NULLs are summed up as what their slots hold, and exchanged. */
    public long sum(ColumnData data, int from, int to) {
        int nulls = nulls(data, from, to);
        if (nulls == to - from) {
            return nulls * ValueSums.NULL_HASH;
        }
        long sum = 0;
        for (int row = from; row < to; row += ValueSums.WINDOW) {
            sum += sumOfSlots(data, row, Math.min(ValueSums.WINDOW, to - row));
        }
        return sum + nulls * (ValueSums.NULL_HASH - hashOfNullSlot(data));
    }

    private static int nulls(ColumnData data, int from, int to) {
        return data.validity().hasNulls()
                ? to - from - BitRange.count(data.validity().words(), from, to - from)
                : 0;
    }

    private static long hashOfNullSlot(ColumnData data) {
        return switch (data) {
            case LongColumn _ -> ValueSums.hash(0);
            case BytesColumn _ -> ValueSums.EMPTY_HASH;
        };
    }

    /** The same of a column of a batch, shared or not. */
    public long sum(ColumnBatch batch, int column, int from, int to) {
        return batch.isShared(column) && from < to
                ? sum(batch.held(column), batch.spans(), from, to)
                : sum(batch.held(column), from, to);
    }

    private long sum(ColumnData shared, RowSpans spans, int from, int to) {
        int last = spans.spanOf()[to - 1];
        long sum = 0;
        int span = spans.spanOf()[from];
        while (span <= last) {
            int count = Math.min(ValueSums.WINDOW, last + 1 - span);
            fill(shared, span, count);
            sum += SpanKernels.sum(window, count, spans.starts(), span, from, to);
            span += count;
        }
        return sum;
    }

    private long sumOfSlots(ColumnData data, int row, int count) {
        return switch (data) {
            case LongColumn longs -> ValueSums.sumLongs(longs.values(), row, count, window);
            case BytesColumn strings ->
                    ValueSums.hashStrings(strings.offsets(), strings.data(), row, count, window);
        };
    }

    /**
     * Adds rows [from, to) to sums of their groups, as {@link ValueSums#sumGroups} does.
     *
     * @param groups of row {@code from + i} is {@code groups[groupsFrom + i]}
     */
    public void addTo(
            long[] sums, int[] groups, int groupsFrom, ColumnData data, int from, int to) {
        for (int row = from; row < to; row += ValueSums.WINDOW) {
            int count = Math.min(ValueSums.WINDOW, to - row);
            fill(data, row, count);
            ValueSums.sumGroups(window, count, groups, groupsFrom + row - from, sums);
        }
    }

    private void fill(ColumnData data, int row, int count) {
        if (nulls(data, row, row + count) == count) {
            Arrays.fill(window, 0, count, ValueSums.NULL_HASH);
            return;
        }
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
