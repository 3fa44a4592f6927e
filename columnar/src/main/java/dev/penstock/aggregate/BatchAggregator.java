package dev.penstock.aggregate;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.kernel.GroupKernels;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Aggregates rows in memory, for rows that had to be merged first; every row of a batch counts.
 * Owned by one thread.
 */
public final class BatchAggregator {
    private final AggregateQuery query;
    private final List<Integer> valueColumns;
    private final int[] valuePositions;
    private final int[] groupPositions;
    private final List<ColumnFold> folds = new ArrayList<>();
    private final List<ProductFold> products;
    private final @Nullable Grouping grouping;
    private long[] groupRows = new long[GroupKernels.LANES];
    private long rows;
    private int[][] ids;

    /** Prepares for batches with the columns of the query's {@link AggregateQuery#projection}. */
    public BatchAggregator(TableSchema schema, AggregateQuery query) {
        this.query = query;
        this.valueColumns = query.valueColumns();
        for (int column : valueColumns) {
            folds.add(ColumnFold.of(schema, column, query.aggregates()));
        }
        this.products = query.productFolds();
        this.valuePositions = valueColumns.stream().mapToInt(query::position).toArray();
        this.groupPositions = query.groupBy().stream().mapToInt(query::position).toArray();
        List<ColumnIds> groups = new ArrayList<>();
        for (int column : query.groupBy()) {
            groups.add(
                    schema.column(column).type().kind() == PhysicalKind.LONG
                            ? new ColumnIds.Longs()
                            : new ColumnIds.Strings());
        }
        this.ids = new int[groups.size()][0];
        this.grouping = groups.isEmpty() ? null : new Grouping(groups);
    }

    /** Adds all rows of a batch, at most 2^16. */
    public void add(ColumnBatch batch) {
        int count = batch.rowCount();
        rows += count;
        int @Nullable [] groups = grouping == null ? null : number(grouping, batch, count);
        int size = grouping == null ? 1 : grouping.size();
        for (int i = 0; i < folds.size(); i++) {
            ColumnFold fold = folds.get(i);
            fold.ensureGroups(size);
            add(fold, batch.column(valuePositions[i]), groups, count);
        }
        for (ProductFold product : products) {
            product.fold().ensureGroups(size);
            add(product, batch, groups, count);
        }
    }

    private void add(ProductFold product, ColumnBatch batch, int @Nullable [] groups, int count) {
        product.begin(count);
        for (Product.Term term : product.terms()) {
            LongColumn column = (LongColumn) batch.column(query.position(term.column()));
            long[] values = column.values();
            product.multiply(
                    values,
                    GroupKernels.min(values, count),
                    GroupKernels.max(values, count),
                    validity(column),
                    (count + 63) >> 6);
        }
        product.add(groups, null);
    }

    private int[] number(Grouping groups, ColumnBatch batch, int count) {
        if (ids[0].length < count) {
            ids = new int[ids.length][count];
        }
        for (int i = 0; i < ids.length; i++) {
            ColumnData column = batch.column(groupPositions[i]);
            long[] validity = validity(column);
            switch (groups.column(i)) {
                case ColumnIds.Longs longs ->
                        longs.ids(((LongColumn) column).values(), count, validity, null, ids[i]);
                case ColumnIds.Strings strings ->
                        strings.ids((BytesColumn) column, count, validity, null, ids[i]);
                case ColumnIds.Codes _ ->
                        throw new IllegalStateException("a batch has no dictionaries");
            }
        }
        groups.combine(ids, count);
        groupRows = GroupKernels.withRoom(groupRows, groups.size());
        GroupKernels.count(ids[0], count, groupRows);
        return ids[0];
    }

    private static long @Nullable [] validity(ColumnData column) {
        return column.validity().hasNulls() ? column.validity().words() : null;
    }

    private static void add(
            ColumnFold fold, ColumnData column, int @Nullable [] groups, int count) {
        switch (fold) {
            case LongFold longs -> {
                long[] values = ((LongColumn) column).values();
                longs.add(groups, count, values, validity(column), null, -1);
            }
            case BytesFold strings ->
                    strings.add(groups, count, (BytesColumn) column, validity(column), null);
        }
    }

    /** The aggregates of all rows so far. */
    public PartialResult result() {
        PartialResult result = new PartialResult(query.aggregates());
        Grouping groups = grouping;
        if (groups == null) {
            if (rows > 0) {
                result.add(GroupKey.NONE, values(0, rows));
            }
            return result;
        }
        for (int group = 0; rows > 0 && group < groups.size(); group++) {
            long count = GroupKernels.total(groupRows, group);
            if (count > 0) {
                result.add(groups.key(group), values(group, count));
            }
        }
        return result;
    }

    private List<PartialValue> values(int group, long count) {
        List<PartialValue> all = new ArrayList<>();
        for (Aggregate aggregate : query.aggregates()) {
            all.add(value(aggregate, group, count));
        }
        return all;
    }

    private PartialValue value(Aggregate aggregate, int group, long count) {
        if (aggregate.isOfProduct()) {
            return products.get(aggregate.product())
                    .fold()
                    .value(aggregate.function(), group, count);
        }
        int at = valueColumns.indexOf(aggregate.column());
        return at < 0
                ? new PartialValue.Count(count)
                : folds.get(at).value(aggregate.function(), group, count);
    }
}
