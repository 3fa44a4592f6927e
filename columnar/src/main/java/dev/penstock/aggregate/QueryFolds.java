package dev.penstock.aggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The folds that a query needs: one for each column that its aggregates read, one for each of its
 * products. Owned by the aggregator that fills them.
 */
final class QueryFolds {
    private final List<Aggregate> aggregates;
    private final List<Integer> columns;
    private final List<ColumnFold> folds = new ArrayList<>();
    private final List<ProductFold> products;

    /**
     * @param fold makes the fold of a table column
     */
    QueryFolds(AggregateQuery query, IntFunction<ColumnFold> fold) {
        this.aggregates = query.aggregates();
        this.columns = query.valueColumns();
        for (int column : columns) {
            folds.add(fold.apply(column));
        }
        this.products = query.productFolds();
    }

    /** How many columns are read. */
    int size() {
        return folds.size();
    }

    /** The table column of a position in [0, size). */
    int column(int position) {
        return columns.get(position);
    }

    /** The fold of that column. */
    ColumnFold fold(int position) {
        return folds.get(position);
    }

    List<ProductFold> products() {
        return products;
    }

    /** Whether rows need only be counted. */
    boolean isEmpty() {
        return folds.isEmpty() && products.isEmpty();
    }

    /** Makes room for groups; those that are new are empty. */
    void ensureGroups(int groups) {
        folds.forEach(fold -> fold.ensureGroups(groups));
        products.forEach(product -> product.fold().ensureGroups(groups));
    }

    /** The query's values over a group of {@code rows} rows. */
    List<PartialValue> values(int group, long rows) {
        List<PartialValue> all = new ArrayList<>(aggregates.size());
        for (Aggregate aggregate : aggregates) {
            all.add(value(aggregate, group, rows));
        }
        return all;
    }

    private PartialValue value(Aggregate aggregate, int group, long rows) {
        if (aggregate.isOfProduct()) {
            LongFold fold = products.get(aggregate.product()).fold();
            return fold.value(aggregate.function(), group, rows);
        }
        int at = columns.indexOf(aggregate.column());
        return at < 0
                ? new PartialValue.Count(rows)
                : folds.get(at).value(aggregate.function(), group, rows);
    }
}
