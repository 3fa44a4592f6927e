package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.RowSpans;
import dev.penstock.batch.Validity;
import dev.penstock.kernel.SpanKernels;

/**
 * Codes of rows whose values a batch holds once for each span: these are numbered, and then each
 * row gets the code of its span. Owned by one thread; what it answers is valid until the next run.
 */
final class SharedCodes {
    private final ColumnBuilders builders;
    private int[] ofSpans = new int[0];
    private final SharedValidity validity = new SharedValidity();
    private long[] words = Validity.NO_WORDS;

    SharedCodes(ColumnBuilders builders) {
        this.builders = builders;
    }

    /**
     * Codes of rows [from, to), of which there is at least one, of a shared column.
     *
     * @param limit most distinct values wanted
     * @param codes gets one a row; of a NULL any
     * @return false if there are too many distinct values
     */
    boolean run(ColumnBatch batch, int column, int from, int to, int limit, int[] codes) {
        RowSpans spans = batch.spans();
        int[] spanOf = spans.spanOf();
        int first = spanOf[from];
        int count = spanOf[to - 1] + 1 - first;
        if (ofSpans.length < count) {
            ofSpans = new int[count + (count >> 2)];
        }
        ColumnData values = batch.held(column);
        if (!builders.run(column, values, first, count, limit, ofSpans)) {
            return false;
        }
        SpanKernels.spread(ofSpans, first, spanOf, from, to - from, codes);
        words = validity.of(values.validity(), spans, from, to - from);
        return true;
    }

    /** Validity bits of the rows, that of the first one first; empty if none is NULL. */
    long[] words() {
        return words;
    }
}
