package dev.penstock.sql.differential;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/** A condition with SQL's three values. */
sealed interface Condition {
    String sql();

    /** Of a row; null is UNKNOWN. */
    @Nullable Boolean of(@Nullable Object[] row);

    /** Scalar against scalar. */
    record Compare(Scalar left, String operator, Scalar right) implements Condition {
        @Override
        public String sql() {
            return left.sql() + " " + operator + " " + right.sql();
        }

        @Override
        public @Nullable Boolean of(@Nullable Object[] row) {
            return of(left.of(row), operator, right.of(row));
        }

        static @Nullable Boolean of(@Nullable Object one, String operator, @Nullable Object other) {
            if (one == null || other == null) {
                return null;
            }
            int order = Scalar.compare(one, other);
            return switch (operator) {
                case "=" -> order == 0;
                case "<>" -> order != 0;
                case "<" -> order < 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                case ">=" -> order >= 0;
                default -> throw new IllegalArgumentException(operator);
            };
        }
    }

    /** Scalar in a list; with a NULL in the list, nothing is known not to be in it. */
    record In(Scalar scalar, List<Scalar.Constant> list, boolean withNull, boolean negated)
            implements Condition {
        @Override
        public String sql() {
            return scalar.sql()
                    + (negated ? " NOT IN (" : " IN (")
                    + list.stream().map(Scalar.Constant::sql).collect(Collectors.joining(", "))
                    + (withNull ? ", NULL)" : ")");
        }

        @Override
        public @Nullable Boolean of(@Nullable Object[] row) {
            Object value = scalar.of(row);
            if (value == null) {
                return null;
            }
            if (list.stream().anyMatch(each -> Scalar.compare(value, each.value()) == 0)) {
                return !negated;
            }
            return withNull ? null : (Boolean) negated;
        }
    }

    /** Scalar between two constants. */
    record Between(Scalar scalar, Scalar low, Scalar high, boolean negated) implements Condition {
        @Override
        public String sql() {
            return scalar.sql()
                    + (negated ? " NOT BETWEEN " : " BETWEEN ")
                    + low.sql()
                    + " AND "
                    + high.sql();
        }

        @Override
        public @Nullable Boolean of(@Nullable Object[] row) {
            Boolean both =
                    and(
                            Compare.of(scalar.of(row), ">=", low.of(row)),
                            Compare.of(scalar.of(row), "<=", high.of(row)));
            return negated ? not(both) : both;
        }
    }

    /** Text like a pattern of texts with wildcards before, between or behind. */
    record Like(Scalar text, String pattern, boolean negated) implements Condition {
        @Override
        public String sql() {
            return text.sql()
                    + (negated ? " NOT LIKE '" : " LIKE '")
                    + pattern.replace("'", "''")
                    + "'";
        }

        @Override
        public @Nullable Boolean of(@Nullable Object[] row) {
            return text.of(row) instanceof String value
                    ? (Boolean)
                            (matches(
                                            value.codePoints().toArray(),
                                            0,
                                            pattern.codePoints().toArray(),
                                            0)
                                    != negated)
                    : null;
        }

        private static boolean matches(int[] text, int at, int[] pattern, int from) {
            if (from == pattern.length) {
                return at == text.length;
            }
            if (pattern[from] == '%') {
                for (int end = at; end <= text.length; end++) {
                    if (matches(text, end, pattern, from + 1)) {
                        return true;
                    }
                }
                return false;
            }
            return at < text.length
                    && (pattern[from] == '_' || pattern[from] == text[at])
                    && matches(text, at + 1, pattern, from + 1);
        }
    }

    /** Whether a scalar is NULL. */
    record IsNull(Scalar scalar, boolean negated) implements Condition {
        @Override
        public String sql() {
            return scalar.sql() + (negated ? " IS NOT NULL" : " IS NULL");
        }

        @Override
        public Boolean of(@Nullable Object[] row) {
            return (scalar.of(row) == null) != negated;
        }
    }

    /** A BOOLEAN column by itself. */
    record Truth(Scalar.Column column) implements Condition {
        @Override
        public String sql() {
            return column.sql();
        }

        @Override
        public @Nullable Boolean of(@Nullable Object[] row) {
            return (Boolean) column.of(row);
        }
    }

    /** Both or either of two. */
    record Both(Condition left, boolean either, Condition right) implements Condition {
        @Override
        public String sql() {
            return "(" + left.sql() + (either ? ") OR (" : ") AND (") + right.sql() + ")";
        }

        @Override
        public @Nullable Boolean of(@Nullable Object[] row) {
            Boolean one = left.of(row);
            Boolean other = right.of(row);
            return either ? not(and(not(one), not(other))) : and(one, other);
        }
    }

    /** The contrary. */
    record Not(Condition condition) implements Condition {
        @Override
        public String sql() {
            return "NOT (" + condition.sql() + ")";
        }

        @Override
        public @Nullable Boolean of(@Nullable Object[] row) {
            return not(condition.of(row));
        }
    }

    private static @Nullable Boolean not(@Nullable Boolean value) {
        return value == null ? null : (Boolean) !value;
    }

    private static @Nullable Boolean and(@Nullable Boolean one, @Nullable Boolean other) {
        if (one == null || other == null) {
            return Boolean.FALSE.equals(one) || Boolean.FALSE.equals(other) ? Boolean.FALSE : null;
        }
        return one && other;
    }
}
