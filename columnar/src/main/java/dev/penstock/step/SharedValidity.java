package dev.penstock.step;

import dev.penstock.batch.RowSpans;
import dev.penstock.batch.Validity;

/** Validity bits of rows whose values a batch holds once for each span. Owned by one thread. */
final class SharedValidity {
    private long[] words = Validity.NO_WORDS;

    /**
     * The bits of the rows [from, from + rows), of which there is at least one, that of the first
     * one first; empty if none is NULL. Valid until the next call.
     */
    long[] of(Validity shared, RowSpans spans, int from, int rows) {
        if (!shared.hasNulls()) {
            return Validity.NO_WORDS;
        }
        if (words.length < Validity.wordCount(rows)) {
            words = new long[Validity.wordCount(rows + (rows >> 2))];
        }
        spans.spread(shared, from, rows, words);
        return words;
    }
}
