package dev.penstock.predicate;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;

/**
 * Evaluates a predicate on rows in memory, value by value. For batches that hold all columns in
 * table order; segments have their own way ({@code SegmentScanner}). Immutable.
 */
public final class BatchFilter {
    private final Predicate predicate;

    public BatchFilter(Predicate predicate) {
        this.predicate = predicate;
    }

    /** Whether a row of the batch matches. */
    public boolean matches(ColumnBatch batch, int row) {
        return matches(predicate, batch, row);
    }

    private static boolean matches(Predicate tested, ColumnBatch batch, int row) {
        return switch (tested) {
            case Predicate.And and -> {
                for (Predicate term : and.terms()) {
                    if (!matches(term, batch, row)) {
                        yield false;
                    }
                }
                yield true;
            }
            case Predicate.Or or -> {
                for (Predicate term : or.terms()) {
                    if (matches(term, batch, row)) {
                        yield true;
                    }
                }
                yield false;
            }
            case Predicate.IsNull(int column, boolean negated) ->
                    batch.column(column).validity().isValid(row) == negated;
            case Predicate.Compare compare ->
                    matches(ValueTest.of(compare), batch.column(compare.columnIndex()), row);
            case Predicate.In in -> {
                ColumnData column = batch.column(in.columnIndex());
                yield matches(ValueTest.of(in, column instanceof LongColumn), column, row);
            }
            case Predicate.StartsWith startsWith ->
                    matches(ValueTest.of(startsWith), batch.column(startsWith.columnIndex()), row);
        };
    }

    private static boolean matches(ValueTest test, ColumnData column, int row) {
        Validity validity = column.validity();
        if (!validity.isValid(row)) {
            return false;
        }
        return switch (column) {
            case LongColumn longs ->
                    test instanceof ValueTest.Longs onLongs && onLongs.matches(longs.values()[row]);
            case BytesColumn strings ->
                    test instanceof ValueTest.Bytes onBytes
                            && onBytes.matches(
                                    strings.data(),
                                    strings.offsets()[row],
                                    strings.offsets()[row + 1]);
        };
    }
}
