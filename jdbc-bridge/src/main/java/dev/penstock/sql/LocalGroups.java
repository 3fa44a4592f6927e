package dev.penstock.sql;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.Product;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups rows in this process: for results that have more groups than region servers keep. */
final class LocalGroups {
    private final Table table;
    private final AggregateQuery query;
    private final Parameters parameters;

    /** The table columns of the rows that are read. */
    private final int[] projection;

    LocalGroups(Table table, AggregateQuery query, Parameters parameters) {
        this.table = table;
        this.query = query;
        this.parameters = parameters;
        this.projection = query.projection();
    }

    /** The group's values followed by the aggregates', one array a group. */
    List<@Nullable Object[]> rows(long epoch) {
        int[] group = query.groupBy().stream().mapToInt(column -> at(column)).toArray();
        int[] value =
                query.aggregates().stream().mapToInt(aggregate -> at(aggregate.column())).toArray();
        ScanSpec spec =
                ScanSpec.all(table.schema())
                        .withRange(query.range())
                        .withPredicate(query.predicate())
                        .withProjection(projection)
                        .withEpoch(epoch);
        Map<List<@Nullable Object>, @Nullable Object[]> groups = new LinkedHashMap<>();
        try (Scan scan = table.scan(spec)) {
            RowReader reader = new RowReader(scan.columns());
            ColumnBatch batch = scan.newBatch();
            while (scan.next(batch)) {
                parameters.checkCancelled();
                for (int row = 0; row < batch.rowCount(); row++) {
                    add(groups, reader.values(batch, row), group, value);
                }
            }
        }
        return joined(groups);
    }

    private void add(
            Map<List<@Nullable Object>, @Nullable Object[]> groups,
            @Nullable Object[] row,
            int[] group,
            int[] value) {
        @Nullable Object[] key = new Object[group.length];
        for (int i = 0; i < group.length; i++) {
            key[i] = row[group[i]];
        }
        @Nullable Object[] sums =
                groups.computeIfAbsent(Arrays.asList(key), _ -> new Object[value.length]);
        for (int i = 0; i < value.length; i++) {
            Aggregate aggregate = query.aggregates().get(i);
            Object cell =
                    aggregate.isOfProduct()
                            ? product(query.products().get(aggregate.product()), row)
                            : value[i] < 0 ? null : row[value[i]];
            sums[i] = next(aggregate.function(), sums[i], cell);
        }
    }

    private @Nullable BigDecimal product(Product product, @Nullable Object[] row) {
        BigDecimal result = BigDecimal.ONE;
        for (Product.Term term : product.terms()) {
            Object cell = row[at(term.column())];
            if (cell == null) {
                return null;
            }
            int scale = Product.scale(table.schema().column(term.column()).type());
            BigDecimal number =
                    cell instanceof BigDecimal decimal
                            ? decimal
                            : BigDecimal.valueOf(((Number) cell).longValue());
            BigDecimal constant = BigDecimal.valueOf(term.constant(), scale);
            result =
                    result.multiply(
                            term.negated() ? constant.subtract(number) : constant.add(number));
        }
        return result;
    }

    private static List<@Nullable Object[]> joined(
            Map<List<@Nullable Object>, @Nullable Object[]> groups) {
        List<@Nullable Object[]> rows = new ArrayList<>(groups.size());
        groups.forEach((key, sums) -> {
            @Nullable Object[] row = Arrays.copyOf(key.toArray(), key.size() + sums.length);
            System.arraycopy(sums, 0, row, key.size(), sums.length);
            rows.add(row);
        });
        return rows;
    }

    private int at(int column) {
        for (int i = 0; i < projection.length; i++) {
            if (projection[i] == column) {
                return i;
            }
        }
        return -1;
    }

    /** What one aggregate function has seen of one group. */
    private static @Nullable Object next(
            Aggregate.Function function, @Nullable Object before, @Nullable Object value) {
        return switch (function) {
            case COUNT_ROWS -> (before == null ? 0L : (Long) before) + 1;
            case COUNT -> (before == null ? 0L : (Long) before) + (value == null ? 0 : 1);
            case SUM ->
                    before == null
                            ? summand(value)
                            : value == null ? before : sum(before, summand(value));
            case MIN ->
                    before == null || value != null && compare(value, before) < 0 ? value : before;
            case MAX ->
                    before == null || value != null && compare(value, before) > 0 ? value : before;
        };
    }

    /** What it has seen of two parts of one group. */
    static @Nullable Object joined(
            Aggregate.Function function, @Nullable Object one, @Nullable Object other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return switch (function) {
            case COUNT_ROWS, COUNT -> Math.addExact((Long) one, (Long) other);
            case SUM, MIN, MAX -> next(function, next(function, null, one), other);
        };
    }

    private static @Nullable Object summand(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case BigDecimal decimal -> decimal;
            case Double number -> number;
            case Float number -> (double) number;
            case Number number -> BigDecimal.valueOf(number.longValue());
            default -> throw new IllegalArgumentException("no sum of " + value.getClass());
        };
    }

    private static Object sum(Object left, @Nullable Object right) {
        return left instanceof BigDecimal decimal && right instanceof BigDecimal other
                ? decimal.add(other)
                : (Object) ((Double) left + (right == null ? 0.0 : (Double) right));
    }

    /** The order of the servers, to which text is unsigned bytes. */
    @SuppressWarnings("unchecked") // values of one column are of one class, which is Comparable
    private static int compare(Object left, Object right) {
        return switch (left) {
            case String text -> compareCodePoints(text, (String) right);
            default -> ((Comparable<Object>) left).compareTo(right);
        };
    }

    /** As UTF-8 compares: Java's own order has characters of two chars before some of one. */
    private static int compareCodePoints(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean wide = Character.isSurrogate(a);
                return wide == Character.isSurrogate(b)
                        ? Character.compare(a, b)
                        : Boolean.compare(wide, !wide);
            }
        }
        return Integer.compare(left.length(), right.length());
    }
}
