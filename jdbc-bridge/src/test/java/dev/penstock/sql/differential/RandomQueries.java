package dev.penstock.sql.differential;

import dev.penstock.sql.differential.SampleTable.SampleType;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes queries and conditions on a {@link SampleTable}. */
final class RandomQueries {
    private static final String[] OPERATORS = {"=", "<>", "<", "<=", ">", ">="};
    private static final String[] PATTERNS = {
        "%", "a%", "%a", "_", "a_", "%b%", "a", "", "é%", "_%_", "a %", "日_", "%\uD83D\uDE00"
    };

    private final Random random;

    RandomQueries(Random random) {
        this.random = random;
    }

    Query next() {
        return switch (random.nextInt(3)) {
            case 0 -> select();
            case 1 -> new Query.Distinct(scalars(1 + random.nextInt(3)), condition(2));
            default -> grouped();
        };
    }

    private Query select() {
        boolean ordered = random.nextBoolean();
        return new Query.Select(
                scalars(1 + random.nextInt(4)),
                condition(3),
                ordered ? orderedType() : null,
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(4),
                random.nextInt(30));
    }

    private Query grouped() {
        List<Query.Total> totals = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            totals.add(total());
        }
        return new Query.Grouped(
                groups(random.nextInt(3)), totals, condition(2), 1 + random.nextInt(3));
    }

    /** Calcite's code joins several counts of distinct values by the groups, which are no UUIDs. */
    private List<Scalar> groups(int count) {
        return scalars(count).stream()
                .filter(scalar -> !scalar.equals(new Scalar.Column(SampleType.UUID)))
                .toList();
    }

    private Query.Total total() {
        Query.Total.Function function =
                Query.Total.Function.values()[random.nextInt(Query.Total.Function.values().length)];
        SampleType type = orderedType();
        while (function == Query.Total.Function.SUM && !type.isExact()) {
            type = type();
        }
        return new Query.Total(function, scalar(type));
    }

    private SampleType type() {
        return SampleTable.TYPES[random.nextInt(SampleTable.TYPES.length)];
    }

    private SampleType orderedType() {
        SampleType type = type();
        return type.isOrdered() ? type : SampleType.ID;
    }

    private List<Scalar> scalars(int count) {
        List<Scalar> scalars = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            scalars.add(scalar(type()));
        }
        return List.copyOf(new java.util.LinkedHashSet<>(scalars));
    }

    /** The column, now and then with a computation that stays in its range. */
    private Scalar scalar(SampleType type) {
        Scalar.Column column = new Scalar.Column(type);
        if (!type.isSmall() || random.nextInt(4) > 0) {
            return column;
        }
        BigDecimal constant = BigDecimal.valueOf(1L + random.nextInt(5));
        return new Scalar.Sum(column, "+-*".charAt(random.nextInt(3)), constant);
    }

    Condition condition(int depth) {
        int kind = random.nextInt(depth > 0 ? 11 : 8);
        return switch (kind) {
            case 0, 1, 2 -> comparison();
            case 3 -> in();
            case 4 -> {
                SampleType type = orderedType();
                yield new Condition.Between(
                        scalar(type), constant(type), constant(type), random.nextBoolean());
            }
            case 5 ->
                    new Condition.Like(
                            new Scalar.Column(SampleType.TEXT),
                            PATTERNS[random.nextInt(PATTERNS.length)],
                            random.nextBoolean());
            case 6 -> new Condition.IsNull(scalar(type()), random.nextBoolean());
            case 7 -> new Condition.Truth(new Scalar.Column(SampleType.TRUTH));
            case 8 -> new Condition.Not(condition(depth - 1));
            default ->
                    new Condition.Both(
                            condition(depth - 1), random.nextBoolean(), condition(depth - 1));
        };
    }

    /** With a constant, another column of the type, or one of a type that it is compared with. */
    private Condition comparison() {
        SampleType type = type();
        Scalar right =
                switch (random.nextInt(6)) {
                    case 0 -> scalar(type);
                    case 1 ->
                            type.isExact() && type != SampleType.BIG && type != SampleType.WIDE
                                    ? new Scalar.Column(
                                            random.nextBoolean()
                                                    ? SampleType.INT
                                                    : SampleType.MONEY)
                                    : type.isFloating()
                                            ? new Scalar.Column(
                                                    random.nextBoolean()
                                                            ? SampleType.DOUBLE
                                                            : SampleType.REAL)
                                            : constant(type);
                    case 2 ->
                            type == SampleType.SMALL
                                            || type == SampleType.INT
                                            || type == SampleType.ID
                                    ? constant(
                                            random.nextBoolean()
                                                    ? SampleType.MONEY
                                                    : SampleType.DOUBLE)
                                    : constant(type);
                    default -> constant(type);
                };
        String operator = OPERATORS[random.nextInt(type.isOrdered() ? OPERATORS.length : 2)];
        return random.nextInt(8) == 0
                ? new Condition.Compare(right, operator, scalar(type))
                : new Condition.Compare(scalar(type), operator, right);
    }

    private Condition in() {
        SampleType type = type();
        List<Scalar.Constant> list = new ArrayList<>();
        // Calcite makes a table of a long list, which takes no infinity.
        boolean many = random.nextInt(10) == 0 && !type.isFloating();
        for (int i = 1 + random.nextInt(many ? 30 : 4); i > 0; i--) {
            list.add(constant(type));
        }
        return new Condition.In(scalar(type), list, random.nextInt(8) == 0, random.nextBoolean());
    }

    private Scalar.Constant constant(SampleType type) {
        return new Scalar.Constant(type, SampleTable.value(type, random));
    }
}
