package dev.penstock.aggregate;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What to compute of a table's rows.
 *
 * @param range encoded keys of the rows to read
 * @param predicate condition on rows; its column indexes are indexes into the table's columns
 * @param groupBy table columns whose combinations of values make the groups, NULL being a value;
 *     without any, all rows are one group, which there is even without rows
 * @param aggregates what to compute of each group
 * @param products numbers computed of each row, for aggregates of them
 */
public record AggregateQuery(
        KeyRange range,
        Predicate predicate,
        List<Integer> groupBy,
        List<Aggregate> aggregates,
        List<Product> products) {
    /** Most groups of a result: partial results stay small in memory and on the wire. */
    public static final int MAX_GROUPS = 1 << 16;

    /** Most columns to group by. */
    public static final int MAX_GROUP_COLUMNS = 16;

    /** Most aggregates of one query. */
    public static final int MAX_AGGREGATES = 256;

    public AggregateQuery {
        groupBy = List.copyOf(groupBy);
        aggregates = List.copyOf(aggregates);
        products = List.copyOf(products);
    }

    /** A query of columns alone. */
    public AggregateQuery(
            KeyRange range,
            Predicate predicate,
            List<Integer> groupBy,
            List<Aggregate> aggregates) {
        this(range, predicate, groupBy, aggregates, List.of());
    }

    public AggregateQuery withRange(KeyRange value) {
        return new AggregateQuery(value, predicate, groupBy, aggregates, products);
    }

    /** The same of the rows that meet another condition, in another range. */
    public AggregateQuery with(KeyRange newRange, Predicate newPredicate) {
        return new AggregateQuery(newRange, newPredicate, groupBy, aggregates, products);
    }

    /** Refuses, as {@code USAGE}, what cannot be computed of that table. */
    public void check(TableSchema schema) {
        if (groupBy.size() > MAX_GROUP_COLUMNS
                || aggregates.size() > MAX_AGGREGATES
                || products.size() > MAX_AGGREGATES) {
            throw PenstockException.usage(
                    "a query may group by "
                            + MAX_GROUP_COLUMNS
                            + " columns and compute "
                            + MAX_AGGREGATES
                            + " values");
        }
        products.forEach(product -> product.check(schema));
        columns().forEach(column -> checkColumn(schema, column));
        for (Aggregate aggregate : aggregates) {
            if (aggregate.isOfProduct()) {
                checkProduct(aggregate);
            } else if (aggregate.function() == Aggregate.Function.SUM
                    && !summable(schema.column(aggregate.column()).type())) {
                throw PenstockException.usage(
                        "column "
                                + schema.column(aggregate.column()).name()
                                + " is "
                                + schema.column(aggregate.column()).type().sql()
                                + ", which has no sum");
            }
        }
    }

    private void checkProduct(Aggregate aggregate) {
        boolean possible =
                switch (aggregate.function()) {
                    case SUM, COUNT -> aggregate.product() < products.size();
                    case MIN, MAX, COUNT_ROWS -> false;
                };
        if (!possible) {
            throw PenstockException.usage("a query asks for " + aggregate + " of a product");
        }
    }

    private static void checkColumn(TableSchema schema, int column) {
        if (column < 0 || column >= schema.columnCount()) {
            throw PenstockException.usage("table " + schema.name() + " has no column " + column);
        }
    }

    private static boolean summable(ColumnType type) {
        return switch (type) {
            case ColumnType.SmallIntType _,
                    ColumnType.IntegerType _,
                    ColumnType.BigIntType _,
                    ColumnType.DecimalType _,
                    ColumnType.RealType _,
                    ColumnType.DoubleType _ ->
                    true;
            case ColumnType.BooleanType _,
                    ColumnType.DateType _,
                    ColumnType.TimeType _,
                    ColumnType.TimestampType _,
                    ColumnType.CharType _,
                    ColumnType.VarcharType _,
                    ColumnType.VarbinaryType _,
                    ColumnType.UuidType _ ->
                    false;
        };
    }

    /** The table columns that aggregates read, each once, in ascending order. */
    List<Integer> valueColumns() {
        return aggregates.stream()
                .map(Aggregate::column)
                .filter(column -> column >= 0)
                .distinct()
                .sorted()
                .toList();
    }

    private Stream<Integer> columns() {
        Stream<Integer> factors =
                products.stream()
                        .flatMap(product -> product.terms().stream())
                        .map(Product.Term::column);
        return Stream.concat(Stream.concat(groupBy.stream(), valueColumns().stream()), factors);
    }

    /** The table columns of the batches that {@link BatchAggregator} takes. */
    public int[] projection() {
        return columns().distinct().mapToInt(column -> column).toArray();
    }

    /** Types of the columns to group by, in their order. */
    List<ColumnType> groupTypes(TableSchema schema) {
        return groupBy.stream().map(column -> schema.column(column).type()).toList();
    }

    /** Folds of the products, in their order. */
    List<ProductFold> productFolds() {
        return IntStream.range(0, products.size())
                .mapToObj(i -> new ProductFold(products.get(i), Aggregate.ofProduct(i), aggregates))
                .toList();
    }

    /** Where a table column is among those of {@link #projection}. */
    int position(int column) {
        int[] projection = projection();
        return IntStream.range(0, projection.length)
                .filter(i -> projection[i] == column)
                .findFirst()
                .orElseThrow();
    }

    /** Refuses, as {@code LIMIT}, more groups than a result may have. */
    static void checkGroups(int count) {
        if (count > MAX_GROUPS) {
            throw new PenstockException(
                    ErrorCategory.LIMIT,
                    "the result has more than " + MAX_GROUPS + " groups; group by fewer columns");
        }
    }
}
