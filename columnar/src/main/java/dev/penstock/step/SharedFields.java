package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.parse.FieldSlices;
import dev.penstock.parse.RepeatedFields;
import dev.penstock.parse.RowIndex;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The columns that a batch of parsed rows shares: their fields repeat from record to record, so
 * that each is converted once for a span of rows. Which ones is found out among the first rows of a
 * batch now and then.
 *
 * <p>Phases of a window: {@link #begin} if the batch is empty; {@link #fill} when the other columns
 * are filled; {@link #append} when it is known which rows stay. Owned by one thread.
 */
final class SharedFields {
    private static final int MOST_BATCHES = 64;

    /** Spans for a hundred rows; with more the fields are looked for again. */
    private static final int MOST_SPANS = 75;

    private final RepeatedFields repeated;
    private final List<ColumnFiller> fillers;
    private final boolean wanted;
    private final int[] starts;
    private final RowFaults spanFaults;
    private int spanCount;

    private List<ColumnFiller> chosen = List.of();
    private List<Integer> columns = List.of();

    // Batches before the next look, and after that one; rows and their spans since the last.
    private int untilLook;
    private int pause = 1;
    private long rows;
    private long spans;

    /**
     * @param eligible by field, whether its column may be shared
     */
    SharedFields(RowIndex index, boolean[] eligible, List<ColumnFiller> fillers, int maxRows) {
        this.wanted = RepeatedFields.mayPay(eligible.length);
        this.repeated = new RepeatedFields(index, eligible);
        this.fillers = fillers;
        this.starts = new int[maxRows];
        this.spanFaults = new RowFaults(maxRows);
    }

    /** The next look is at once, between batches. */
    void forget() {
        untilLook = 0;
        pause = 1;
        rows = 0;
        spans = 0;
    }

    /** Chooses the columns that an empty batch shares, given its first rows. */
    void begin(byte[] text, int firstRow, int count, ColumnBatch out) {
        if (wanted && (untilLook-- <= 0 || 100 * spans > MOST_SPANS * rows)) {
            look(text, firstRow, count);
        }
        out.share(columns);
    }

    private void look(byte[] text, int firstRow, int count) {
        repeated.look(text, firstRow, count);
        List<Integer> fields = repeated.fields();
        List<ColumnFiller> found = new ArrayList<>();
        List<Integer> indexes = new ArrayList<>();
        for (ColumnFiller filler : fillers) {
            if (fields.contains(filler.field())) {
                found.add(filler);
                indexes.add(filler.columnIndex());
            }
        }
        chosen = List.copyOf(found);
        columns = List.copyOf(indexes);
        untilLook = pause;
        pause = Math.min(2 * pause, MOST_BATCHES);
        rows = 0;
        spans = 0;
    }

    /**
     * Fills the shared columns of {@code count} rows. If any row has a fault, here or in another
     * column, each of them gets a span of its own.
     */
    void fill(
            FieldSlices slices,
            byte[] text,
            int firstRow,
            int count,
            ColumnBatch out,
            RowFaults faults) {
        if (chosen.isEmpty()) {
            return;
        }
        spanCount = faults.count() > 0 ? count : repeated.spans(text, firstRow, count, starts);
        rows += count;
        spans += spanCount;
        if (spanCount < count) {
            spanFaults.clear();
            fill(slices, out, spanFaults);
            if (spanFaults.count() == 0) {
                return;
            }
            forgetNulls(out);
        }
        spanCount = count;
        Arrays.setAll(starts, i -> i);
        fill(slices, out, faults);
    }

    private void fill(FieldSlices slices, ColumnBatch out, RowFaults found) {
        slices.choose(starts, spanCount);
        for (ColumnFiller filler : chosen) {
            if (out.isShared(filler.columnIndex())) {
                filler.fill(slices, spanCount, out, out.spans().count(), found);
            }
        }
    }

    private void forgetNulls(ColumnBatch out) {
        for (int column : columns) {
            if (out.isShared(column)) {
                out.held(column).validity().setValid(out.spans().count(), spanCount);
            }
        }
    }

    /** Appends the spans of the rows, of which {@code removed} had faults. */
    void append(ColumnBatch out, int count, int removed) {
        if (!chosen.isEmpty()) {
            out.spans().append(starts, spanCount - removed, count - removed);
        }
    }
}
