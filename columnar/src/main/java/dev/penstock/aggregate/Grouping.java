package dev.penstock.aggregate;

import dev.penstock.predicate.Literal;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Numbers the combinations of the group-by columns' values: as one index over all possible ones if
 * every column has a dictionary and they are few, else in the order in which they come, column
 * after column. Owned by one thread.
 *
 * <p>The two zeros of REAL and DOUBLE have numbers of their own, and the same {@link #key}; whoever
 * collects groups by their keys makes one group of them.
 */
final class Grouping {
    private static final Optional<Literal> NEGATIVE_ZERO = zero(-0.0);
    private static final Optional<Literal> ZERO = zero(0.0);

    private final List<ColumnIds> columns;

    /** Types of the columns. */
    private final List<ColumnType> types;

    /** Product of the sizes if combinations are an index, else 0. */
    private final int indexed;

    /** Combination of what lies before column i + 1 and that column, else. */
    private final List<LongIds> pairs = new ArrayList<>();

    /** Of an order of the columns in which {@code types} has their types. */
    Grouping(List<ColumnIds> columns, List<ColumnType> types) {
        this.columns = List.copyOf(columns);
        this.types = List.copyOf(types);
        long product = 1;
        for (ColumnIds column : columns) {
            boolean fixed = column instanceof ColumnIds.Codes;
            product = fixed && product > 0 ? product * column.size() : 0;
            product = product > AggregateQuery.MAX_GROUPS ? 0 : product;
        }
        this.indexed = (int) product;
        for (int i = 1; i < columns.size(); i++) {
            pairs.add(new LongIds());
        }
    }

    /** Whether the numbers are an index over all combinations there can be. */
    boolean isIndex() {
        return indexed > 0;
    }

    ColumnIds column(int index) {
        return columns.get(index);
    }

    /** Groups that there can be by now; their numbers are smaller. */
    int size() {
        if (indexed > 0) {
            return indexed;
        }
        return pairs.isEmpty() ? columns.getFirst().size() : pairs.getLast().size();
    }

    /**
     * Numbers the groups of rows; {@code LIMIT} if there are too many.
     *
     * @param ids for each column those of the rows; the first column's become the groups' numbers
     */
    void combine(int[][] ids, int count) {
        int[] out = ids[0];
        int stride = columns.getFirst().size();
        for (int column = 1; column < columns.size(); column++) {
            if (indexed > 0) {
                addStrides(out, ids[column], count, stride);
                stride *= columns.get(column).size();
            } else {
                pair(out, ids[column], count, pairs.get(column - 1));
            }
        }
        if (indexed == 0) {
            AggregateQuery.checkGroups(size());
        }
    }

    private static void addStrides(int[] out, int[] ids, int count, int stride) {
        for (int i = 0; i < count; i++) {
            out[i] += ids[i] * stride;
        }
    }

    private static void pair(int[] out, int[] ids, int count, LongIds pairs) {
        for (int i = 0; i < count; i++) {
            out[i] = pairs.idOf((long) out[i] << 32 | ids[i]);
        }
    }

    /** The values that a group's rows share. */
    GroupKey key(int group) {
        List<Optional<Literal>> values = new ArrayList<>();
        int rest = group;
        if (indexed > 0) {
            for (int column = 0; column < columns.size(); column++) {
                int size = columns.get(column).size();
                values.add(value(column, rest % size));
                rest /= size;
            }
            return new GroupKey(values);
        }
        for (int column = columns.size() - 1; column > 0; column--) {
            long pair = pairs.get(column - 1).key(rest);
            values.addFirst(value(column, (int) pair));
            rest = (int) (pair >>> 32);
        }
        values.addFirst(value(0, rest));
        return new GroupKey(values);
    }

    private Optional<Literal> value(int column, int id) {
        Optional<Literal> value = columns.get(column).value(id);
        return types.get(column).isFloatingPoint() && value.equals(NEGATIVE_ZERO) ? ZERO : value;
    }

    private static Optional<Literal> zero(double value) {
        return Optional.of(new Literal.LongLiteral(FloatOrder.toOrdered(value)));
    }
}
