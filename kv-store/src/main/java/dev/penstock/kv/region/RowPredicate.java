package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;

import java.util.Arrays;

/**
 * Predicates on single rows, for rows that had to be merged first; rows of one segment are filtered
 * by the segment's scanner, a vector at a time.
 */
final class RowPredicate {
    private final Predicate predicate;
    private final int[] positions;

    /**
     * @param positions for each table column its column in the batches to be tested
     */
    RowPredicate(Predicate predicate, int[] positions) {
        this.predicate = predicate;
        this.positions = positions;
    }

    /** Whether it is true of all rows. */
    boolean isAlways() {
        return Predicate.isAlways(predicate);
    }

    boolean test(ColumnBatch batch, int row) {
        return test(predicate, batch, row);
    }

    private boolean test(Predicate condition, ColumnBatch batch, int row) {
        return switch (condition) {
            case Predicate.And and -> {
                for (Predicate term : and.terms()) {
                    if (!test(term, batch, row)) {
                        yield false;
                    }
                }
                yield true;
            }
            case Predicate.Or or -> {
                for (Predicate term : or.terms()) {
                    if (test(term, batch, row)) {
                        yield true;
                    }
                }
                yield false;
            }
            case Predicate.Compare compare -> {
                ColumnData column = column(compare.columnIndex(), batch);
                yield column.validity().isValid(row)
                        && holds(compare.operator(), order(column, row, compare.literal()));
            }
            case Predicate.In in -> {
                ColumnData column = column(in.columnIndex(), batch);
                yield column.validity().isValid(row)
                        && in.literals().stream()
                                        .anyMatch(literal -> order(column, row, literal) == 0)
                                != in.negated();
            }
            case Predicate.IsNull isNull ->
                    column(isNull.columnIndex(), batch).validity().isValid(row) == isNull.negated();
            case Predicate.StartsWith startsWith -> {
                ColumnData column = column(startsWith.columnIndex(), batch);
                yield column.validity().isValid(row)
                        && startsWith(column, row, startsWith.prefix()) != startsWith.negated();
            }
        };
    }

    private ColumnData column(int tableColumn, ColumnBatch batch) {
        return batch.column(positions[tableColumn]);
    }

    private static int order(ColumnData column, int row, Literal literal) {
        return switch (column) {
            case LongColumn longs ->
                    Long.compare(longs.values()[row], ((Literal.LongLiteral) literal).value());
            case BytesColumn bytes -> {
                byte[] wanted = ((Literal.BytesLiteral) literal).value();
                yield Arrays.compareUnsigned(
                        bytes.data(),
                        bytes.offsets()[row],
                        bytes.offsets()[row + 1],
                        wanted,
                        0,
                        wanted.length);
            }
        };
    }

    private static boolean startsWith(ColumnData column, int row, byte[] prefix) {
        BytesColumn bytes = (BytesColumn) column;
        int from = bytes.offsets()[row];
        return bytes.offsets()[row + 1] - from >= prefix.length
                && Arrays.equals(
                        bytes.data(), from, from + prefix.length, prefix, 0, prefix.length);
    }

    private static boolean holds(Predicate.Operator operator, int order) {
        return switch (operator) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }
}
