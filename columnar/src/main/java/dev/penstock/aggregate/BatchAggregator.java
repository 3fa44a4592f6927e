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
    private final QueryFolds folds;
    private final int[] valuePositions;
    private final int[][] termPositions;
    private final int[] groupPositions;
    private final @Nullable Grouping grouping;
    private long[] groupRows = new long[GroupKernels.LANES];
    private long rows;
    private int[][] ids;

    /** Prepares for batches with the columns of the query's {@link AggregateQuery#projection}. */
    public BatchAggregator(TableSchema schema, AggregateQuery query) {
        this.query = query;
        this.folds =
                new QueryFolds(query, column -> ColumnFold.of(schema, column, query.aggregates()));
        this.valuePositions = query.valueColumns().stream().mapToInt(query::position).toArray();
        this.termPositions =
                query.products().stream()
                        .map(product ->
                                product.terms().stream()
                                        .mapToInt(term -> query.position(term.column()))
                                        .toArray())
                        .toArray(int[][]::new);
        this.groupPositions = query.groupBy().stream().mapToInt(query::position).toArray();
        List<ColumnIds> groups = new ArrayList<>();
        for (int column : query.groupBy()) {
            groups.add(
                    schema.column(column).type().kind() == PhysicalKind.LONG
                            ? new ColumnIds.Longs()
                            : new ColumnIds.Strings());
        }
        this.ids = new int[groups.size()][0];
        this.grouping = groups.isEmpty() ? null : new Grouping(groups, query.groupTypes(schema));
    }

    /** Adds all rows of a batch, at most 2^16. */
    public void add(ColumnBatch batch) {
        int count = batch.rowCount();
        rows += count;
        int @Nullable [] groups = grouping == null ? null : number(grouping, batch, count);
        int size = grouping == null ? 1 : grouping.size();
        folds.ensureGroups(size);
        for (int i = 0; i < folds.size(); i++) {
            add(folds.fold(i), batch.column(valuePositions[i]), groups, count);
        }
        for (int i = 0; i < termPositions.length; i++) {
            add(folds.products().get(i), batch, termPositions[i], groups, count);
        }
    }

    private static void add(
            ProductFold product,
            ColumnBatch batch,
            int[] positions,
            int @Nullable [] groups,
            int count) {
        product.begin(count);
        for (int position : positions) {
            LongColumn column = (LongColumn) batch.column(position);
            long[] values = column.values();
            product.multiply(
                    values,
                    GroupKernels.min(values, count),
                    GroupKernels.max(values, count),
                    validity(column),
                    (count + 63) >> 6);
        }
        product.add(groups, null, ProductFold.NO_GROUP);
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
                result.add(GroupKey.NONE, folds.values(0, rows));
            }
            return result;
        }
        for (int group = 0; rows > 0 && group < groups.size(); group++) {
            long count = GroupKernels.total(groupRows, group);
            if (count > 0) {
                result.add(groups.key(group), folds.values(group, count));
            }
        }
        return result;
    }
}
