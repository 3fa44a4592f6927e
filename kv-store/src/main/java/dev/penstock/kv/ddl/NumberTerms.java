package dev.penstock.kv.ddl;

import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.predicate.Predicate.Operator;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.WideOrder;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/**
 * Comparisons of number columns with decimal literals, exact whatever digits the literal has.
 *
 * <p>A column of scale s holds whole multiples of 10^-s. With x = literal * 10^s and f = floor(x):
 * if x is whole, column op literal is unscaled op x; otherwise = is never true and both {@code >}
 * and {@code >=} mean {@code > f}, both {@code <} and {@code <=} mean {@code <= f}. A literal
 * outside of what the column's representation can hold compares the same with every value.
 */
final class NumberTerms {
    private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger WIDE_MAX =
            BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);
    private static final BigInteger WIDE_MIN = BigInteger.ONE.shiftLeft(127).negate();

    /** Exponents beyond this are out of range of every exact type. */
    private static final int MAX_EXPONENT = 400;

    private NumberTerms() {}

    /** Column op literal for an exact type (integers and decimals). */
    static Predicate exact(int column, ColumnType type, Operator operator, BigDecimal literal) {
        boolean wide = type instanceof ColumnType.DecimalType decimal && decimal.plainBytes() == 16;
        int scale = type instanceof ColumnType.DecimalType decimal ? decimal.scale() : 0;
        if (literal.signum() != 0 && (long) literal.precision() - literal.scale() > MAX_EXPONENT) {
            return beyond(column, operator, literal.signum() > 0);
        }
        if (literal.signum() != 0 && (long) literal.precision() - literal.scale() < -MAX_EXPONENT) {
            literal = literal.signum() > 0 ? new BigDecimal("1e-400") : new BigDecimal("-1e-400");
        }
        BigDecimal scaled = literal.scaleByPowerOfTen(scale);
        BigInteger floor = scaled.setScale(0, RoundingMode.FLOOR).toBigInteger();
        boolean whole = scaled.compareTo(new BigDecimal(floor)) == 0;
        if (floor.compareTo(wide ? WIDE_MAX : LONG_MAX) > 0) {
            return beyond(column, operator, true);
        }
        if (floor.compareTo(wide ? WIDE_MIN : LONG_MIN) < 0) {
            return beyond(column, operator, false);
        }
        Literal value =
                wide
                        ? new Literal.BytesLiteral(WideOrder.toOrdered(floor))
                        : new Literal.LongLiteral(floor.longValueExact());
        if (whole) {
            return new Predicate.Compare(column, operator, value);
        }
        return switch (operator) {
            case EQUAL -> Terms.NEVER;
            case NOT_EQUAL -> new Predicate.IsNull(column, true);
            case LESS, LESS_OR_EQUAL ->
                    new Predicate.Compare(column, Operator.LESS_OR_EQUAL, value);
            case GREATER, GREATER_OR_EQUAL ->
                    new Predicate.Compare(column, Operator.GREATER, value);
        };
    }

    /** Column op literal for REAL and DOUBLE; the two zeros are equal to each other. */
    static Predicate floating(int column, Operator operator, double literal) {
        Literal value = new Literal.LongLiteral(FloatOrder.toOrdered(literal));
        if (literal != 0) {
            return new Predicate.Compare(column, operator, value);
        }
        Literal low = new Literal.LongLiteral(FloatOrder.toOrdered(-0.0));
        Literal high = new Literal.LongLiteral(FloatOrder.toOrdered(0.0));
        return switch (operator) {
            case EQUAL -> new Predicate.In(column, List.of(low, high), false);
            case NOT_EQUAL -> new Predicate.In(column, List.of(low, high), true);
            case LESS, GREATER_OR_EQUAL -> new Predicate.Compare(column, operator, low);
            case GREATER, LESS_OR_EQUAL -> new Predicate.Compare(column, operator, high);
        };
    }

    /** What a comparison means if the literal is above (or below) every possible value. */
    static Predicate beyond(int column, Operator operator, boolean above) {
        boolean always =
                switch (operator) {
                    case EQUAL -> false;
                    case NOT_EQUAL -> true;
                    case LESS, LESS_OR_EQUAL -> above;
                    case GREATER, GREATER_OR_EQUAL -> !above;
                };
        return always ? new Predicate.IsNull(column, true) : Terms.NEVER;
    }
}
