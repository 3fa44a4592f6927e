package dev.penstock.aggregate;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.PenstockException;
import dev.penstock.predicate.Literal;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.TableSchema;
import dev.penstock.schema.WideOrder;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The result of an aggregate query as rows of typed columns, one row a group, in the order of the
 * groups' values with NULL last. A count is BIGINT; the sum of integers is DECIMAL(38,0), that of
 * DECIMAL(p,s) is DECIMAL(38,s), that of floating point numbers DOUBLE; an average is DOUBLE.
 */
public final class ResultRows {
    private static final BigInteger LIMIT = BigInteger.TEN.pow(ColumnType.MAX_DECIMAL_PRECISION);

    private final TableSchema table;
    private final AggregateQuery query;
    private final List<ResultColumn> columns;

    /** Of a query on that table. */
    public ResultRows(TableSchema table, AggregateQuery query, List<ResultColumn> columns) {
        this.table = table;
        this.query = query;
        this.columns = List.copyOf(columns);
    }

    /** The result's columns as a table without a key. */
    public TableSchema schema() {
        List<Column> all = new ArrayList<>();
        for (ResultColumn column : columns) {
            all.add(new Column(column.name(), type(column.content()), true));
        }
        return TableSchema.declare(table.name(), all, List.of());
    }

    private ColumnType type(ResultColumn.Content content) {
        return switch (content) {
            case ResultColumn.Content.Group(int position) ->
                    table.column(query.groupBy().get(position)).type();
            case ResultColumn.Content.Average _ -> new ColumnType.DoubleType();
            case ResultColumn.Content.Value(int position) -> type(query.aggregates().get(position));
        };
    }

    private ColumnType type(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case COUNT, COUNT_ROWS -> new ColumnType.BigIntType();
            case MIN, MAX -> table.column(aggregate.column()).type();
            case SUM ->
                    aggregate.isOfProduct()
                            ? sum(query.products().get(aggregate.product()).scale(table))
                            : switch (table.column(aggregate.column()).type()) {
                                case ColumnType.DoubleType _, ColumnType.RealType _ ->
                                        new ColumnType.DoubleType();
                                case ColumnType type -> sum(Product.scale(type));
                            };
        };
    }

    private static ColumnType sum(int scale) {
        return new ColumnType.DecimalType(ColumnType.MAX_DECIMAL_PRECISION, scale);
    }

    /** The rows, with the visible columns of {@link #schema}. */
    public ColumnBatch rows(PartialResult result) {
        List<Column> visible = schema().columns().subList(0, columns.size());
        boolean none = query.groupBy().isEmpty() && result.size() == 0;
        int count = none ? 1 : result.size();
        ColumnBatch batch = ColumnBatch.forColumns(visible, count);
        if (none) {
            put(batch, 0, count, GroupKey.NONE, result.nothing());
        }
        int row = 0;
        for (var group : result.sortedGroups().entrySet()) {
            put(batch, row++, count, group.getKey(), group.getValue());
        }
        batch.setRowCount(count);
        return batch;
    }

    private void put(
            ColumnBatch batch, int row, int count, GroupKey key, List<PartialValue> values) {
        for (int i = 0; i < columns.size(); i++) {
            Optional<Literal> value =
                    switch (columns.get(i).content()) {
                        case ResultColumn.Content.Group(int at) -> key.values().get(at);
                        case ResultColumn.Content.Value(int at) ->
                                literal(columns.get(i), values.get(at));
                        case ResultColumn.Content.Average average -> average(average, values);
                    };
            put(batch.column(i), row, count, value);
        }
    }

    private static void put(ColumnData column, int row, int count, Optional<Literal> value) {
        if (value.isEmpty()) {
            column.validity().setNull(row, count);
        }
        switch (column) {
            case LongColumn longs ->
                    longs.values()[row] =
                            value.orElse(null) instanceof Literal.LongLiteral(long number)
                                    ? number
                                    : 0;
            case BytesColumn strings -> {
                byte[] bytes =
                        value.orElse(null) instanceof Literal.BytesLiteral(byte[] text)
                                ? text
                                : new byte[0];
                strings.append(row, bytes, 0, bytes.length);
            }
        }
    }

    private static Optional<Literal> literal(ResultColumn column, PartialValue value) {
        return switch (value) {
            case PartialValue.None _ -> Optional.empty();
            case PartialValue.Count(long rows) -> Optional.of(new Literal.LongLiteral(rows));
            case PartialValue.LongValue(long number) ->
                    Optional.of(new Literal.LongLiteral(number));
            case PartialValue.BytesValue(byte[] bytes) ->
                    Optional.of(new Literal.BytesLiteral(bytes));
            case PartialValue.FloatSum sum ->
                    Optional.of(new Literal.LongLiteral(FloatOrder.toOrdered(sum.value())));
            case PartialValue.ExactSum(BigInteger sum) ->
                    Optional.of(new Literal.BytesLiteral(wide(column.name(), sum)));
        };
    }

    /** 16 bytes, big-endian, with the sign bit flipped. */
    private static byte[] wide(String name, BigInteger sum) {
        if (sum.abs().compareTo(LIMIT) >= 0) {
            throw PenstockException.data(name + " has more than 38 digits");
        }
        return WideOrder.toOrdered(sum);
    }

    private Optional<Literal> average(
            ResultColumn.Content.Average average, List<PartialValue> values) {
        if (!(values.get(average.count()) instanceof PartialValue.Count(long rows)) || rows == 0) {
            return Optional.empty();
        }
        Aggregate summed = query.aggregates().get(average.sum());
        int scale =
                summed.isOfProduct()
                        ? query.products().get(summed.product()).scale(table)
                        : Product.scale(table.column(summed.column()).type());
        return switch (values.get(average.sum())) {
            case PartialValue.ExactSum(BigInteger sum) ->
                    number(new BigDecimal(sum, scale).doubleValue() / rows);
            case PartialValue.FloatSum sum -> number(sum.value() / rows);
            case PartialValue.None _,
                    PartialValue.Count _,
                    PartialValue.LongValue _,
                    PartialValue.BytesValue _ ->
                    Optional.empty();
        };
    }

    private static Optional<Literal> number(double value) {
        return Optional.of(new Literal.LongLiteral(FloatOrder.toOrdered(value)));
    }
}
