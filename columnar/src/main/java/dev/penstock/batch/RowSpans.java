package dev.penstock.batch;

import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.kernel.CopyKernels;
import dev.penstock.kernel.SpanKernels;

import java.util.Arrays;

/**
 * Spans of a batch's rows: rows that follow each other and have the same values in the columns that
 * the batch shares. Every row belongs to one. Owned by the batch; keeps its capacity.
 */
public final class RowSpans {
    private int[] spanOf = new int[0];

    /** Where each span starts, and behind the last one where it ends. */
    private int[] starts = new int[1];

    /** A bit for each row, 1 = a span starts there. */
    private long[] heads = new long[1];

    private int count;
    private int rowCount;
    private int longest;
    private final LongColumn spareLongs = new LongColumn(0);
    private final BytesColumn spareStrings = new BytesColumn(0, 0);

    void clear() {
        count = 0;
        rowCount = 0;
        longest = 0;
        starts[0] = 0;
        Arrays.fill(heads, 0);
    }

    /** Spans so far. */
    public int count() {
        return count;
    }

    /** The span of each row. */
    public int[] spanOf() {
        return spanOf;
    }

    /** First row of each span; of the one behind the last, the number of rows. */
    public int[] starts() {
        return starts;
    }

    /**
     * Appends spans.
     *
     * @param firsts first row of each, counted from the first row that is new, which is the first
     * @param spanCount how many of them are meant
     * @param rows of all of them together
     */
    public void append(int[] firsts, int spanCount, int rows) {
        ensure(count + spanCount, rowCount + rows);
        for (int i = 0; i < spanCount; i++) {
            int first = firsts[i];
            int end = i + 1 < spanCount ? firsts[i + 1] : rows;
            Arrays.fill(spanOf, rowCount + first, rowCount + end, count + i);
            starts[count + i] = rowCount + first;
            heads[(rowCount + first) >> 6] |= 1L << rowCount + first;
            longest = Math.max(longest, end - first);
        }
        count += spanCount;
        rowCount += rows;
        starts[count] = rowCount;
    }

    private void ensure(int spans, int rows) {
        if (spanOf.length < rows) {
            spanOf = Arrays.copyOf(spanOf, rows + (rows >> 1));
            heads = Arrays.copyOf(heads, (spanOf.length >> 6) + 1);
        }
        if (starts.length <= spans) {
            starts = Arrays.copyOf(starts, spans + (spans >> 1) + 1);
        }
    }

    /** What {@link #bytes} is at most: quicker to say. */
    public long mostBytes(BytesColumn shared, int from, int to) {
        int[] offsets = shared.offsets();
        return from == to
                ? 0
                : (long) longest * (offsets[spanOf[to - 1] + 1] - offsets[spanOf[from]]);
    }

    /** Bytes that the strings of rows [from, to) have together. */
    public long bytes(BytesColumn shared, int from, int to) {
        if (from == to) {
            return 0;
        }
        int[] offsets = shared.offsets();
        return SpanKernels.bytes(offsets, starts, spanOf[from], spanOf[to - 1] + 1, from, to);
    }

    /** Gives a column, which has one value a span, one value a row. */
    void expand(ColumnData shared) {
        switch (shared) {
            case LongColumn longs -> expand(longs);
            case BytesColumn strings -> expand(strings);
        }
    }

    private void expand(LongColumn shared) {
        LongColumn target = spareLongs;
        expand(shared.validity(), target.validity());
        target.ensureRows(rowCount);
        SpanKernels.spread(shared.values(), 0, spanOf, 0, rowCount, target.values());
        shared.swap(target);
    }

    private void expand(BytesColumn shared) {
        BytesColumn target = spareStrings;
        expand(shared.validity(), target.validity());
        target.ensureRows(rowCount);
        target.ensureBytes(bytes(shared, 0, rowCount) + CopyKernels.SLACK);
        ByteStrings.gather(
                shared.offsets(),
                shared.data(),
                spanOf,
                0,
                rowCount,
                target.offsets(),
                target.data(),
                0);
        shared.swap(target);
    }

    private void expand(Validity shared, Validity target) {
        target.clear();
        if (shared.hasNulls() && rowCount > 0) {
            target.ensureBits(rowCount);
            spread(shared, 0, rowCount, target.words());
            // Rows to come are valid until someone says otherwise.
            BitRange.set(target.words(), rowCount, 64 * Validity.wordCount(rowCount) - rowCount);
        }
    }

    /**
     * Writes which of the rows [from, from + rows), at least one, are NULL.
     *
     * @param shared of a shared column that has NULLs
     * @param words gets the rows' bits, 1 = not NULL, that of the first row first
     */
    public void spread(Validity shared, int from, int rows, long[] words) {
        SpanKernels.spreadBits(shared.words(), heads, spanOf, from, rows, words);
    }

    long retainedBytes() {
        return 4L * (spanOf.length + starts.length)
                + 8L * heads.length
                + spareLongs.retainedBytes()
                + spareStrings.retainedBytes();
    }
}
