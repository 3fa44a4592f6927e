package dev.penstock.sql.differential;

import dev.penstock.sql.differential.SampleTable.SampleType;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A query on one table, in SQL and as a plain reading of rows. */
sealed interface Query {
    /** The query of {@code source}, a table or a subquery with its rows. */
    String sql(String source);

    /** The rows of the answer. */
    List<@Nullable Object[]> of(List<@Nullable Object[]> rows);

    /** Whether the answer has an order. */
    boolean ordered();

    /** Rows in an order that is made total by the id, or a part of them. */
    record Select(
            List<Scalar> scalars,
            Condition condition,
            @Nullable SampleType orderedBy,
            boolean descending,
            boolean nullsFirst,
            int offset,
            int limit)
            implements Query {
        @Override
        public String sql(String source) {
            String order =
                    orderedBy == null
                            ? ""
                            : " ORDER BY %s%s NULLS %s, c_id OFFSET %d ROWS FETCH NEXT %d ROWS ONLY"
                                    .formatted(
                                            orderedBy.column(),
                                            descending ? " DESC" : "",
                                            nullsFirst ? "FIRST" : "LAST",
                                            offset,
                                            limit);
            return "SELECT %s FROM %s WHERE %s%s"
                    .formatted(list(scalars), source, condition.sql(), order);
        }

        @Override
        public boolean ordered() {
            return orderedBy != null;
        }

        @Override
        public List<@Nullable Object[]> of(List<@Nullable Object[]> rows) {
            List<@Nullable Object[]> matching = new ArrayList<>(matching(rows, condition));
            if (orderedBy != null) {
                int column = orderedBy.ordinal();
                matching.sort((left, right) -> order(left, right, column));
                int from = Math.min(offset, matching.size());
                matching = matching.subList(from, Math.min(from + limit, matching.size()));
            }
            return matching.stream().map(row -> values(scalars, row)).toList();
        }

        private int order(@Nullable Object[] left, @Nullable Object[] right, int column) {
            Object one = left[column];
            Object other = right[column];
            int order =
                    one != null && other != null
                            ? Scalar.compare(one, other) * (descending ? -1 : 1)
                            : Boolean.compare(other == null, one == null) * (nullsFirst ? 1 : -1);
            return order != 0
                    ? order
                    : Scalar.compare(
                            Objects.requireNonNull(left[0]), Objects.requireNonNull(right[0]));
        }
    }

    /** The distinct values of some scalars. */
    record Distinct(List<Scalar> scalars, Condition condition) implements Query {
        @Override
        public String sql(String source) {
            return "SELECT DISTINCT %s FROM %s WHERE %s"
                    .formatted(list(scalars), source, condition.sql());
        }

        @Override
        public boolean ordered() {
            return false;
        }

        @Override
        public List<@Nullable Object[]> of(List<@Nullable Object[]> rows) {
            return groups(matching(rows, condition), scalars).values().stream()
                    .map(group -> values(scalars, group.getFirst()))
                    .toList();
        }
    }

    /** Aggregates of groups. */
    record Grouped(List<Scalar> groupBy, List<Total> totals, Condition condition, int least)
            implements Query {
        @Override
        public String sql(String source) {
            List<String> fields = new ArrayList<>(groupBy.stream().map(Scalar::sql).toList());
            totals.forEach(total -> fields.add(total.sql()));
            String select =
                    "SELECT %s FROM %s WHERE %s"
                            .formatted(String.join(", ", fields), source, condition.sql());
            return groupBy.isEmpty()
                    ? select
                    : select
                            + " GROUP BY "
                            + list(groupBy)
                            + (least > 1 ? " HAVING count(*) >= " + least : "");
        }

        @Override
        public boolean ordered() {
            return false;
        }

        @Override
        public List<@Nullable Object[]> of(List<@Nullable Object[]> rows) {
            List<@Nullable Object[]> matching = matching(rows, condition);
            Collection<List<@Nullable Object[]>> groups =
                    groupBy.isEmpty() ? List.of(matching) : groups(matching, groupBy).values();
            List<@Nullable Object[]> answer = new ArrayList<>();
            for (List<@Nullable Object[]> group : groups) {
                if (groupBy.isEmpty() || group.size() >= least) {
                    List<@Nullable Object> row = new ArrayList<>();
                    groupBy.forEach(scalar -> row.add(scalar.of(group.getFirst())));
                    totals.forEach(total -> row.add(total.of(group)));
                    answer.add(row.toArray());
                }
            }
            return answer;
        }
    }

    /** An aggregate of a scalar. */
    record Total(Function function, Scalar scalar) {
        /** What it computes. */
        enum Function {
            ROWS,
            COUNT,
            COUNT_DISTINCT,
            SUM,
            MIN,
            MAX
        }

        String sql() {
            return switch (function) {
                case ROWS -> "count(*)";
                case COUNT -> "count(" + scalar.sql() + ")";
                case COUNT_DISTINCT -> "count(DISTINCT " + scalar.sql() + ")";
                case SUM -> "sum(" + scalar.sql() + ")";
                case MIN -> "min(" + scalar.sql() + ")";
                case MAX -> "max(" + scalar.sql() + ")";
            };
        }

        @Nullable Object of(List<@Nullable Object[]> group) {
            List<Object> values = new ArrayList<>();
            for (@Nullable Object[] row : group) {
                Object value = scalar.of(row);
                if (value != null) {
                    values.add(value);
                }
            }
            return switch (function) {
                case ROWS -> BigDecimal.valueOf(group.size());
                case COUNT -> BigDecimal.valueOf(values.size());
                case COUNT_DISTINCT -> {
                    TreeSet<Object> distinct = new TreeSet<>(Scalar::compare);
                    distinct.addAll(values);
                    yield BigDecimal.valueOf(distinct.size());
                }
                case SUM ->
                        values.stream()
                                .map(BigDecimal.class::cast)
                                .reduce(BigDecimal::add)
                                .orElse(null);
                case MIN -> values.stream().min(Scalar::compare).orElse(null);
                case MAX -> values.stream().max(Scalar::compare).orElse(null);
            };
        }
    }

    private static List<@Nullable Object[]> matching(
            List<@Nullable Object[]> rows, Condition condition) {
        return rows.stream().filter(row -> Boolean.TRUE.equals(condition.of(row))).toList();
    }

    private static @Nullable Object[] values(List<Scalar> scalars, @Nullable Object[] row) {
        return scalars.stream().map(scalar -> scalar.of(row)).toArray();
    }

    private static Map<String, List<@Nullable Object[]>> groups(
            List<@Nullable Object[]> rows, List<Scalar> scalars) {
        return rows.stream()
                .collect(
                        Collectors.groupingBy(
                                row -> DifferentialTest.text(values(scalars, row)),
                                LinkedHashMap::new,
                                Collectors.toList()));
    }

    private static String list(List<Scalar> scalars) {
        return scalars.stream().map(Scalar::sql).collect(Collectors.joining(", "));
    }
}
