package dev.penstock.sql;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.ResultColumn;
import dev.penstock.aggregate.ResultRows;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Table;
import dev.penstock.predicate.KeyRanges;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.ColumnType;

import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the aggregation of one statement. */
final class AggregateRead implements RowSource {
    private final Table table;
    private final ScanParts parts;
    private final AggregateQuery query;
    private final List<RelDataType> types = new ArrayList<>();
    private final boolean[] zeroForNull;

    AggregateRead(Table table, ScanParts parts, AggregateQuery query, LogicalAggregate aggregate) {
        this.table = table;
        this.parts = parts;
        this.query = query;
        for (RelDataTypeField field : aggregate.getRowType().getFieldList()) {
            types.add(field.getType());
        }
        this.zeroForNull = new boolean[types.size()];
        int groups = aggregate.getGroupCount();
        for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
            AggregateCall call = aggregate.getAggCallList().get(i);
            zeroForNull[groups + i] = call.getAggregation().getKind() == SqlKind.SUM0;
        }
    }

    /** Groups and values as arrays, or, of a single column, values. */
    @Override
    public Enumerable<@Nullable Object> rows(DataContext context) {
        Parameters parameters = new Parameters(context);
        Predicate condition =
                new ConditionTranslator(table.schema(), parameters).all(parts.conditions());
        AggregateQuery run = query.with(KeyRanges.of(table.schema(), condition), condition);
        long epoch = StatementRun.epoch(context, table);
        return Linq4j.asEnumerable(results(run, epoch, parameters));
    }

    /** Servers refuse results of very many groups; those are computed here. */
    private List<@Nullable Object> results(AggregateQuery run, long epoch, Parameters parameters) {
        try {
            return byServers(run, epoch);
        } catch (PenstockException e) {
            if (e.category() != ErrorCategory.LIMIT) {
                throw e;
            }
            List<@Nullable Object> rows = new ArrayList<>();
            for (@Nullable Object[] row : new LocalGroups(table, run, parameters).rows(epoch)) {
                rows.add(typed(row));
            }
            return rows;
        }
    }

    private List<@Nullable Object> byServers(AggregateQuery run, long epoch) {
        List<ResultColumn> columns = new ArrayList<>();
        for (int i = 0; i < run.groupBy().size(); i++) {
            columns.add(new ResultColumn("g" + i, new ResultColumn.Content.Group(i)));
        }
        for (int i = 0; i < run.aggregates().size(); i++) {
            columns.add(new ResultColumn("a" + i, new ResultColumn.Content.Value(i)));
        }
        ResultRows form = new ResultRows(table.schema(), run, columns);
        ColumnBatch batch = form.rows(table.aggregate(run, epoch));
        RowReader reader = new RowReader(form.schema().columns().subList(0, columns.size()));
        List<@Nullable Object[]> groups = new ArrayList<>(batch.rowCount());
        for (int row = 0; row < batch.rowCount(); row++) {
            groups.add(reader.values(batch, row));
        }
        boolean finer =
                run.groupBy().stream()
                        .anyMatch(at -> ExactFields.isNeededFor(table.schema().column(at).type()));
        List<@Nullable Object> rows = new ArrayList<>(groups.size());
        for (@Nullable Object[] row : finer ? joined(groups, run) : groups) {
            rows.add(typed(row));
        }
        return rows;
    }

    /** Servers group by what is stored; what Calcite takes for equal is one group here. */
    private static Collection<@Nullable Object[]> joined(
            List<@Nullable Object[]> groups, AggregateQuery run) {
        int width = run.groupBy().size();
        Map<List<@Nullable Object>, @Nullable Object[]> joined = new LinkedHashMap<>();
        for (@Nullable Object[] group : groups) {
            @Nullable Object[] known =
                    joined.putIfAbsent(Arrays.asList(group).subList(0, width), group);
            for (int i = 0; known != null && i < run.aggregates().size(); i++) {
                known[width + i] =
                        LocalGroups.joined(
                                run.aggregates().get(i).function(),
                                known[width + i],
                                group[width + i]);
            }
        }
        return joined.values();
    }

    /** Values in the types that the plan promised. */
    private @Nullable Object typed(@Nullable Object[] values) {
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            values[i] =
                    value == null && !zeroForNull[i]
                            ? null
                            : typed(value, types.get(i).getSqlTypeName());
        }
        return values.length == 1 ? values[0] : values;
    }

    /** A sum that was computed here and has more digits than a DECIMAL is none. */
    private static Object fitting(Object value) {
        if (value instanceof BigDecimal sum && sum.precision() > ColumnType.MAX_DECIMAL_PRECISION) {
            throw PenstockException.data(
                    "a sum has more than " + ColumnType.MAX_DECIMAL_PRECISION + " digits");
        }
        return value;
    }

    private static @Nullable Object typed(@Nullable Object value, SqlTypeName type) {
        return switch (type) {
            case BIGINT ->
                    value == null
                            ? 0L
                            : value instanceof BigDecimal sum ? sum.longValueExact() : value;
            case DOUBLE ->
                    value == null
                            ? 0.0
                            : value instanceof Number number ? number.doubleValue() : value;
            case DECIMAL -> value == null ? BigDecimal.ZERO : fitting(value);
            default -> value;
        };
    }
}
