package dev.penstock.loader.pipeline;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.dict.TokenTables;
import dev.penstock.kernel.BitRange;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.route.RowGather;
import dev.penstock.sampler.sketch.DistinctEstimator;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Decides for each column of a fragment whether the loader encodes it, and how.
 *
 * <p>Policy {@code select} follows the heuristic of Shared Loading (section 4.4): the size of the
 * column is estimated in each form, the number of distinct values by HyperLogLog, and the smallest
 * form travels. Looking at every value of every fragment would cost more than it saves, so the
 * decision is made on about {@link #SAMPLED_ROWS} rows, spread over the largest fragment of a chunk
 * now and then, and kept in between ({@link ColumnForms}).
 *
 * <p>When a server has said that a column has too many distinct values for a dictionary in a
 * region, no dictionary is built for it there any more, nor in a region that nothing was sent to
 * before if that is so in most. Owned by one thread.
 */
final class OffloadSelector {
    private static final int SAMPLED_ROWS = 2 * ColumnSizes.MAX_DICTIONARY_ENTRIES;
    private static final int MIN_ROWS = 64;

    /**
     * A sample of which a larger share is distinct has only begun to see the values: as many rows
     * as that, twice the entries of the largest dictionary, would have shown 43 % if it had one.
     */
    private static final double MAX_DISTINCT_SHARE = 0.45;

    private final TableSchema schema;
    private final TokenTables tokens;
    private final boolean select;
    private final PlainColumns plainColumns;
    private final ColumnForms forms;
    private final ColumnForms.Best undecided;
    private final DistinctEstimator estimator = new DistinctEstimator();
    private final ColumnBatch gathered;
    private final Encode.Choice[] choices;
    private final long[] encodedFragments;
    private long fragments;

    OffloadSelector(
            TableSchema schema,
            OffloadPolicy policy,
            FragmentForm cut,
            TokenTables tokens,
            PlainColumns plainColumns,
            ColumnForms forms) {
        this.schema = schema;
        this.tokens = tokens;
        boolean plainOnly = cut.compareTo(FragmentForm.ENCODED) < 0;
        select = !plainOnly && policy.selects();
        this.plainColumns = plainColumns;
        this.forms = forms;
        gathered = ColumnBatch.forColumns(schema.columns(), 0);
        int columns = schema.columnCount();
        choices = new Encode.Choice[columns];
        encodedFragments = new long[columns];
        undecided =
                new ColumnForms.Best(
                        all(columns, plainOnly ? Encode.Choice.PLAIN : Encode.Choice.DICTIONARY),
                        all(columns, plainOnly ? Encode.Choice.PLAIN : Encode.Choice.PACKED));
    }

    private static Encode.Choice[] all(int columns, Encode.Choice choice) {
        Encode.Choice[] choices = new Encode.Choice[columns];
        Arrays.fill(choices, choice);
        return choices;
    }

    /** Looks at a chunk's rows if it is time to; {@code bounds} are the fragments' borders. */
    void observe(ColumnBatch sorted, int[] bounds) {
        observe(sorted, null, bounds);
    }

    /** The same of rows whose order is {@code order}, or that are in order if that is null. */
    void observe(ColumnBatch batch, int @Nullable [] order, int[] bounds) {
        if (!select) {
            return;
        }
        int largest = 0;
        for (int i = 1; i + 1 < bounds.length; i++) {
            if (bounds[i + 1] - bounds[i] > bounds[largest + 1] - bounds[largest]) {
                largest = i;
            }
        }
        int from = bounds[largest];
        int to = bounds[largest + 1];
        if (to - from < MIN_ROWS || !forms.isToLook()) {
            return;
        }
        if (order == null || to - from == batch.rowCount()) {
            // Sizes of all rows are the same in any order.
            forms.decide(best(batch, from, to));
        } else {
            RowGather.gather(batch, order, from, to, gathered);
            forms.decide(best(gathered, 0, to - from));
        }
    }

    private ColumnForms.Best best(ColumnBatch batch, int from, int to) {
        Encode.Choice[] any = new Encode.Choice[schema.columnCount()];
        Encode.Choice[] withoutDictionary = new Encode.Choice[any.length];
        for (int column = 0; column < any.length; column++) {
            ColumnSizes sizes = sizes(batch, column, from, to);
            boolean packed = sizes.packed() < sizes.plain();
            withoutDictionary[column] = packed ? Encode.Choice.PACKED : Encode.Choice.PLAIN;
            // As many bytes: a column without values, which would be the server's work if PLAIN.
            any[column] =
                    sizes.dictionary() <= Math.min(sizes.packed(), sizes.plain())
                            ? Encode.Choice.DICTIONARY
                            : withoutDictionary[column];
        }
        return new ColumnForms.Best(any, withoutDictionary);
    }

    private ColumnSizes sizes(ColumnBatch batch, int column, int from, int to) {
        estimator.reset();
        int step = Math.max(1, (to - from) / SAMPLED_ROWS) | 1;
        return switch (batch.column(column)) {
            case LongColumn longs -> {
                estimator.addAll(longs, from, to, step);
                int width = schema.column(column).type().plainBytes();
                long distinct = distinct(longs.validity(), from, to, step);
                yield ColumnSizes.ofLongs(longs, from, to, width, distinct);
            }
            case BytesColumn bytes -> {
                estimator.addAll(bytes, from, to, step);
                long distinct = distinct(bytes.validity(), from, to, step);
                boolean cut = tokens.table(column) != null;
                yield ColumnSizes.ofBytes(bytes, from, to, distinct, cut);
            }
        };
    }

    /** Distinct values among rows of which every {@code step}th was looked at. */
    private long distinct(Validity validity, int from, int to, int step) {
        int values =
                validity.hasNulls() ? BitRange.count(validity.words(), from, to - from) : to - from;
        long seen = estimator.estimate();
        return seen > MAX_DISTINCT_SHARE * values / step ? seen * step : seen;
    }

    /** The wishes for one fragment; valid until the next call. */
    Encode.Choice[] choose(int regionIndex) {
        BitSet plain = plainColumns.of(regionIndex);
        BitSet expected = plainColumns.expected(regionIndex);
        ColumnForms.Best found = forms.best();
        ColumnForms.Best best = found == null ? undecided : found;
        fragments++;
        for (int column = 0; column < choices.length; column++) {
            choices[column] =
                    plain.get(column) ? best.withoutDictionary()[column] : best.any()[column];
            if (choices[column] == Encode.Choice.DICTIONARY && expected.get(column)) {
                // Not PLAIN, or the server would try to make a dictionary.
                choices[column] = Encode.Choice.PACKED;
            }
            if (choices[column] != Encode.Choice.PLAIN) {
                encodedFragments[column]++;
            }
        }
        return choices;
    }

    long fragments() {
        return fragments;
    }

    /** For each column the fragments in which the loader encoded it. */
    long[] encodedFragments() {
        return encodedFragments.clone();
    }
}
