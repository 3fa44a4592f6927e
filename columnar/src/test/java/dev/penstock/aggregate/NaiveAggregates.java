package dev.penstock.aggregate;

import dev.penstock.predicate.Literal;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Aggregates of rows as objects, row by row: the oracle. Values as {@link #plain} gives them. */
final class NaiveAggregates {
    private NaiveAggregates() {}

    static SortedMap<GroupKey, List<@Nullable Object>> of(
            TableSchema schema, List<@Nullable Object[]> rows, AggregateQuery query) {
        SortedMap<GroupKey, List<@Nullable Object[]>> groups = new TreeMap<>();
        for (@Nullable Object[] row : rows) {
            List<Optional<Literal>> key = new ArrayList<>();
            query.groupBy().forEach(column -> key.add(literal(row[column])));
            groups.computeIfAbsent(new GroupKey(key), _ -> new ArrayList<>()).add(row);
        }
        SortedMap<GroupKey, List<@Nullable Object>> result = new TreeMap<>();
        for (Map.Entry<GroupKey, List<@Nullable Object[]>> group : groups.entrySet()) {
            List<@Nullable Object> values = new ArrayList<>();
            for (Aggregate one : query.aggregates()) {
                values.add(
                        one.isOfProduct()
                                ? ofProduct(
                                        group.getValue(),
                                        one.function(),
                                        query.products().get(one.product()))
                                : value(schema, group.getValue(), one));
            }
            result.put(group.getKey(), values);
        }
        return result;
    }

    private static @Nullable Object ofProduct(
            List<@Nullable Object[]> rows, Aggregate.Function function, Product product) {
        BigInteger sum = BigInteger.ZERO;
        long present = 0;
        for (@Nullable Object[] row : rows) {
            BigInteger value = BigInteger.ONE;
            for (Product.Term term : product.terms()) {
                Object cell = row[term.column()];
                if (cell == null) {
                    value = null;
                    break;
                }
                BigInteger number = BigInteger.valueOf((long) cell);
                BigInteger constant = BigInteger.valueOf(term.constant());
                value =
                        value.multiply(
                                term.negated() ? constant.subtract(number) : constant.add(number));
            }
            if (value != null) {
                present++;
                sum = sum.add(value);
            }
        }
        return function == Aggregate.Function.COUNT ? (Object) present : present == 0 ? null : sum;
    }

    private static Optional<Literal> literal(@Nullable Object value) {
        return switch (value) {
            case null -> Optional.empty();
            case byte[] bytes -> Optional.of(new Literal.BytesLiteral(bytes));
            default -> Optional.of(new Literal.LongLiteral((long) value));
        };
    }

    private static @Nullable Object value(
            TableSchema schema, List<@Nullable Object[]> rows, Aggregate aggregate) {
        if (aggregate.function() == Aggregate.Function.COUNT_ROWS) {
            return (long) rows.size();
        }
        List<Object> present = new ArrayList<>();
        for (@Nullable Object[] row : rows) {
            Object value = row[aggregate.column()];
            if (value != null) {
                present.add(value);
            }
        }
        if (aggregate.function() == Aggregate.Function.COUNT) {
            return (long) present.size();
        }
        if (present.isEmpty()) {
            return null;
        }
        return switch (aggregate.function()) {
            case SUM -> sum(schema.column(aggregate.column()).type(), present);
            case MIN -> plain(present.stream().min(NaiveAggregates::compare).orElseThrow());
            default -> plain(present.stream().max(NaiveAggregates::compare).orElseThrow());
        };
    }

    private static Object sum(ColumnType type, List<Object> values) {
        if (type instanceof ColumnType.DoubleType) {
            return values.stream().mapToDouble(v -> FloatOrder.fromOrdered((long) v)).sum();
        }
        BigInteger sum = BigInteger.ZERO;
        for (Object value : values) {
            sum = sum.add(number(value));
        }
        return sum;
    }

    private static BigInteger number(Object value) {
        if (value instanceof byte[] bytes) {
            byte[] number = bytes.clone();
            number[0] ^= (byte) 0x80;
            return new BigInteger(number);
        }
        return BigInteger.valueOf((long) value);
    }

    private static int compare(Object left, Object right) {
        return left instanceof byte[] bytes
                ? Arrays.compareUnsigned(bytes, (byte[]) right)
                : Long.compare((long) left, (long) right);
    }

    private static Object plain(Object value) {
        return value instanceof byte[] bytes ? Arrays.toString(bytes) : value;
    }

    /** A result in the form of this oracle's. */
    static SortedMap<GroupKey, List<@Nullable Object>> plain(PartialResult result) {
        SortedMap<GroupKey, List<@Nullable Object>> plain = new TreeMap<>();
        result.groups()
                .forEach((key, values) -> {
                    List<@Nullable Object> converted = new ArrayList<>();
                    values.forEach(value -> converted.add(plain(value)));
                    plain.put(key, converted);
                });
        return plain;
    }

    private static @Nullable Object plain(PartialValue value) {
        return switch (value) {
            case PartialValue.None _ -> null;
            case PartialValue.Count(long rows) -> rows;
            case PartialValue.ExactSum(BigInteger sum) -> sum;
            case PartialValue.FloatSum sum -> sum.value();
            case PartialValue.LongValue(long number) -> number;
            case PartialValue.BytesValue(byte[] bytes) -> Arrays.toString(bytes);
        };
    }
}
