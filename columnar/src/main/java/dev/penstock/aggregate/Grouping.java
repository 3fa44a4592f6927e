package dev.penstock.aggregate;

import dev.penstock.predicate.Literal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Numbers the combinations of the group-by columns' values: as one index over all possible ones if
 * every column has a dictionary and they are few, else in the order in which they come, column
 * after column. Owned by one thread.
 */
final class Grouping {
    private final List<ColumnIds> columns;

    /** Product of the sizes if combinations are an index, else 0. */
    private final int indexed;

    /** Combination of what lies before column i + 1 and that column, else. */
    private final List<LongIds> pairs = new ArrayList<>();

    Grouping(List<ColumnIds> columns) {
        this.columns = List.copyOf(columns);
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
     * Numbers the groups of rows; {@code USAGE} if there are too many.
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
            for (ColumnIds column : columns) {
                values.add(column.value(rest % column.size()));
                rest /= column.size();
            }
            return new GroupKey(values);
        }
        for (int column = columns.size() - 1; column > 0; column--) {
            long pair = pairs.get(column - 1).key(rest);
            values.addFirst(columns.get(column).value((int) pair));
            rest = (int) (pair >>> 32);
        }
        values.addFirst(columns.getFirst().value(rest));
        return new GroupKey(values);
    }
}
