package dev.penstock.kv.ddl;

import dev.penstock.error.PenstockException;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.predicate.Predicate.Operator;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Builds the leaves of a condition: one column against literals, coerced to the column's type. */
public final class Terms {
    /** Microseconds of a day. */
    private static final long DAY_MICROS = 86_400_000_000L;

    /** False for every row. */
    static final Predicate NEVER = new Predicate.Or(List.of());

    private final TableSchema schema;

    /** Of conditions on that table; columns are indexes into its columns. */
    public Terms(TableSchema schema) {
        this.schema = schema;
    }

    /** A literal as written. */
    public sealed interface Written {
        record Null() implements Written {}

        record Decimal(BigDecimal value) implements Written {}

        /**
         * A value of type REAL or DOUBLE, possibly not finite. It is compared as it is, as DOUBLE:
         * a value of a REAL column is one.
         */
        record Floating(double value) implements Written {}

        /** A string, or a value of a stated type written as a string. */
        record Text(String value) implements Written {}

        /** {@code TIMESTAMP '...'}: stays exact against DATE columns. */
        record Timestamp(String value) implements Written {}

        record Bool(boolean value) implements Written {}

        record Hex(String digits) implements Written {}
    }

    /**
     * Column op literal; a comparison with NULL is never true.
     *
     * @throws PenstockException of category USAGE if the literal does not fit the column's type
     */
    public Predicate compare(int column, Operator operator, Written literal) {
        if (literal instanceof Written.Null) {
            return NEVER;
        }
        ColumnType type = schema.column(column).type();
        if (literal instanceof Written.Floating(double value)) {
            return floating(column, type, operator, value);
        }
        return switch (type) {
            case ColumnType.SmallIntType _,
                    ColumnType.IntegerType _,
                    ColumnType.BigIntType _,
                    ColumnType.DecimalType _ ->
                    NumberTerms.exact(column, type, operator, number(column, literal));
            case ColumnType.RealType _ ->
                    NumberTerms.floating(column, operator, floating(column, literal, true));
            case ColumnType.DoubleType _ ->
                    NumberTerms.floating(column, operator, floating(column, literal, false));
            case ColumnType.DateType _ -> date(column, operator, literal);
            case ColumnType.BooleanType _,
                    ColumnType.TimeType _,
                    ColumnType.TimestampType _,
                    ColumnType.CharType _,
                    ColumnType.VarcharType _,
                    ColumnType.VarbinaryType _,
                    ColumnType.UuidType _ ->
                    new Predicate.Compare(column, operator, value(column, literal));
        };
    }

    /**
     * Exact numbers that have more digits than a DOUBLE are not compared with one: they would have
     * to be rounded first.
     */
    private Predicate floating(int column, ColumnType type, Operator operator, double value) {
        return switch (type) {
            case ColumnType.RealType _, ColumnType.DoubleType _ ->
                    NumberTerms.floating(column, operator, value);
            case ColumnType.SmallIntType _, ColumnType.IntegerType _ ->
                    Double.isFinite(value)
                            ? NumberTerms.exact(column, type, operator, new BigDecimal(value))
                            : NumberTerms.beyond(column, operator, !(value < 0));
            case ColumnType.BooleanType _,
                    ColumnType.BigIntType _,
                    ColumnType.DecimalType _,
                    ColumnType.DateType _,
                    ColumnType.TimeType _,
                    ColumnType.TimestampType _,
                    ColumnType.CharType _,
                    ColumnType.VarcharType _,
                    ColumnType.VarbinaryType _,
                    ColumnType.UuidType _ ->
                    throw wrong(column, "it is compared with a floating point number");
        };
    }

    /** {@code IN}: a NULL in the list is never equal, and makes NOT IN never true. */
    Predicate in(int column, List<Written> literals, boolean negated) {
        List<Predicate> terms = new ArrayList<>();
        List<Literal> values = new ArrayList<>();
        for (Written literal : literals) {
            if (literal instanceof Written.Null) {
                if (negated) {
                    return NEVER;
                }
                continue;
            }
            switch (compare(column, Operator.EQUAL, literal)) {
                case Predicate.Compare equal -> values.add(equal.literal());
                case Predicate.In any -> values.addAll(any.literals());
                case Predicate other -> {
                    if (!other.equals(NEVER)) {
                        terms.add(other);
                    }
                }
            }
        }
        if (!terms.isEmpty()) {
            throw PenstockException.internal("an equality became " + terms);
        }
        if (values.isEmpty()) {
            return negated ? new Predicate.IsNull(column, true) : NEVER;
        }
        return new Predicate.In(column, List.copyOf(values), negated);
    }

    /** {@code LIKE} with no wildcard, or only with a percent sign at the end. */
    public Predicate like(
            int column, Written pattern, char escape, boolean escaped, boolean negated) {
        if (pattern instanceof Written.Null) {
            return NEVER;
        }
        ColumnType type = schema.column(column).type();
        if (!(type instanceof ColumnType.VarcharType || type instanceof ColumnType.CharType)
                || !(pattern instanceof Written.Text(String text))) {
            throw wrong(column, "LIKE needs a CHAR or VARCHAR column and a quoted pattern");
        }
        StringBuilder prefix = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (escaped && c == escape && i + 1 < text.length()) {
                prefix.append(text.charAt(++i));
            } else if (c == '%' && text.substring(i).chars().allMatch(x -> x == '%')) {
                byte[] bytes = prefix.toString().getBytes(StandardCharsets.UTF_8);
                if (bytes.length > 0) {
                    return new Predicate.StartsWith(column, bytes, negated);
                }
                return negated ? NEVER : new Predicate.IsNull(column, true);
            } else if (c == '%' || c == '_') {
                throw wrong(
                        column, "LIKE '" + text + "' is not supported; 'prefix%' and 'text' are");
            } else {
                prefix.append(c);
            }
        }
        return compare(
                column,
                negated ? Operator.NOT_EQUAL : Operator.EQUAL,
                new Written.Text(prefix.toString()));
    }

    private Predicate date(int column, Operator operator, Written literal) {
        if (!(literal instanceof Written.Timestamp(String text))) {
            return new Predicate.Compare(column, operator, value(column, literal));
        }
        long micros = Values.longValue(new ColumnType.TimestampType(), text, name(column));
        BigDecimal days =
                BigDecimal.valueOf(Math.floorDiv(micros, DAY_MICROS))
                        .add(
                                Math.floorMod(micros, DAY_MICROS) == 0
                                        ? BigDecimal.ZERO
                                        : new BigDecimal("0.5"));
        return NumberTerms.exact(column, new ColumnType.IntegerType(), operator, days);
    }

    /** The literal in the column's physical form. */
    private Literal value(int column, Written literal) {
        ColumnType type = schema.column(column).type();
        if (type instanceof ColumnType.CharType || type instanceof ColumnType.VarcharType) {
            // Longer than the column allows is no error here: such a literal equals no value.
            return new Literal.BytesLiteral(text(column, literal).getBytes(StandardCharsets.UTF_8));
        }
        String text = text(column, literal);
        ColumnType wide =
                type instanceof ColumnType.VarbinaryType
                        ? new ColumnType.VarbinaryType(ColumnType.MAX_LENGTH)
                        : type;
        if (type.kind() == PhysicalKind.LONG) {
            return new Literal.LongLiteral(Values.longValue(wide, text, name(column)));
        }
        return new Literal.BytesLiteral(Values.bytesValue(wide, text, name(column)));
    }

    private String text(int column, Written literal) {
        ColumnType type = schema.column(column).type();
        return switch (literal) {
            case Written.Text(String value) ->
                    type instanceof ColumnType.TimestampType && value.strip().length() == 10
                            ? value.strip() + " 00:00:00"
                            : value;
            case Written.Timestamp(String value) when type instanceof ColumnType.TimestampType ->
                    value.strip().length() == 10 ? value.strip() + " 00:00:00" : value;
            case Written.Bool(boolean value) when type instanceof ColumnType.BooleanType ->
                    Boolean.toString(value);
            case Written.Hex(String digits) when type instanceof ColumnType.VarbinaryType -> digits;
            case Written.Decimal(BigDecimal value)
                    when type instanceof ColumnType.VarcharType
                            || type instanceof ColumnType.CharType ->
                    throw wrong(
                            column,
                            "it is compared with a number; write '" + value + "' in quotes");
            case Written.Bool _,
                    Written.Timestamp _,
                    Written.Hex _,
                    Written.Decimal _,
                    Written.Floating _,
                    Written.Null _ ->
                    throw wrong(column, "it is compared with a literal of another type");
        };
    }

    private BigDecimal number(int column, Written literal) {
        return switch (literal) {
            case Written.Decimal(BigDecimal value) -> value;
            case Written.Text(String text) -> {
                try {
                    yield new BigDecimal(text.strip());
                } catch (NumberFormatException e) {
                    throw wrong(column, "it is compared with '" + text + "', which is no number");
                }
            }
            case Written.Bool _,
                    Written.Timestamp _,
                    Written.Hex _,
                    Written.Floating _,
                    Written.Null _ ->
                    throw wrong(column, "it is compared with a literal that is no number");
        };
    }

    /** Rounded to the column's precision, as the values in it were. */
    private double floating(int column, Written literal, boolean single) {
        if (literal instanceof Written.Text(String text)) {
            ColumnType type = schema.column(column).type();
            return dev.penstock.schema.FloatOrder.fromOrdered(
                    Values.longValue(type, text.strip(), name(column)));
        }
        BigDecimal value = number(column, literal);
        return single ? value.floatValue() : value.doubleValue();
    }

    private String name(int column) {
        return schema.column(column).name();
    }

    private PenstockException wrong(int column, String problem) {
        return PenstockException.usage(
                "the condition on column "
                        + name(column)
                        + " ("
                        + schema.column(column).type().sql()
                        + ") cannot be checked: "
                        + problem);
    }
}
