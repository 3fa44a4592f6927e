package dev.penstock.sql;

import dev.penstock.schema.FloatOrder;

import org.apache.calcite.linq4j.function.Strict;

import java.math.BigDecimal;

/**
 * What generated code calls where a statement computes with REAL and DOUBLE, and for absolute
 * values of whole numbers, see {@link NumberRules}. A result is never the negative zero, and
 * infinite only if an operand was: what becomes too large is an {@link ArithmeticException}. NaN
 * equals itself and is greater than every other number, as it is to the servers.
 */
@Strict
public final class NumberFunctions {
    private NumberFunctions() {}

    public static double plus(double left, double right) {
        return checked(left + right, left, right);
    }

    public static double minus(double left, double right) {
        return checked(left - right, left, right);
    }

    public static double times(double left, double right) {
        return checked(left * right, left, right);
    }

    /** The quotient; there is none by zero, but of NaN. */
    public static double divide(double left, double right) {
        if (right == 0 && !Double.isNaN(left)) {
            throw new ArithmeticException("a number is divided by zero");
        }
        return checked(left / right, left, right);
    }

    public static double power(double base, double exponent) {
        return checked(Math.pow(base, exponent), base, exponent);
    }

    public static double exp(double exponent) {
        return checked(Math.exp(exponent), exponent, exponent);
    }

    /** Without its sign, of a BIGINT; the smallest has no such number. */
    public static long absolute(long value) {
        return absolute(value, Long.MIN_VALUE, "BIGINT");
    }

    /** The same of an INTEGER. */
    public static int absoluteInteger(int value) {
        return (int) absolute(value, Integer.MIN_VALUE, "INTEGER");
    }

    public static short absoluteSmallint(short value) {
        return (short) absolute(value, Short.MIN_VALUE, "SMALLINT");
    }

    public static byte absoluteTinyint(byte value) {
        return (byte) absolute(value, Byte.MIN_VALUE, "TINYINT");
    }

    private static long absolute(long value, long smallest, String type) {
        if (value == smallest) {
            throw new ArithmeticException("the absolute value of " + value + " is no " + type);
        }
        return Math.abs(value);
    }

    /** The nearest whole number, the even one of two; NaN and what is infinite have none. */
    public static double nearestWhole(double value) {
        if (!Double.isFinite(value)) {
            throw new ArithmeticException(value + " is no whole number");
        }
        return Math.rint(value);
    }

    /** Zero minus the value, which has the sign of no zero. */
    public static double negate(double value) {
        return 0.0 - value;
    }

    /** The value, zero without its sign. */
    public static double oneZero(double value) {
        return value + 0.0;
    }

    /** The same of a REAL. */
    public static float oneZeroReal(float value) {
        return value + 0.0f;
    }

    private static double checked(double result, double left, double right) {
        if (Double.isInfinite(result) && !Double.isInfinite(left) && !Double.isInfinite(right)) {
            throw new ArithmeticException("a result is too large for a DOUBLE");
        }
        return result + 0.0;
    }

    /** The nearest REAL. */
    public static float real(double value) {
        return real((float) value, Double.isInfinite(value), value);
    }

    public static float realOfDecimal(BigDecimal value) {
        return real(value.floatValue(), false, value);
    }

    /** The REAL that is written. */
    public static float realOfText(String text) {
        return real(Float.parseFloat(text.strip()), isInfinityWritten(text), text);
    }

    /** The DOUBLE that is written. */
    public static double doubleOfText(String text) {
        double value = Double.parseDouble(text.strip());
        if (Double.isInfinite(value) && !isInfinityWritten(text)) {
            throw new ArithmeticException(text + " is too large for a DOUBLE");
        }
        return value + 0.0;
    }

    private static float real(float nearest, boolean infinite, Object value) {
        if (Float.isInfinite(nearest) && !infinite) {
            throw new ArithmeticException(
                    value + " is too large for a REAL, which takes numbers up to 3.4e38");
        }
        return nearest + 0.0f;
    }

    /** In Java's way, which Calcite's is: a word. */
    private static boolean isInfinityWritten(String text) {
        return text.indexOf('I') >= 0;
    }

    /** A number whose natural order is that of the values. */
    public static long ordered(double value) {
        return FloatOrder.toOrdered(value + 0.0);
    }

    public static double ofOrdered(long ordered) {
        return FloatOrder.fromOrdered(ordered);
    }

    public static float realOfOrdered(long ordered) {
        return (float) FloatOrder.fromOrdered(ordered);
    }

    public static boolean equal(double left, double right) {
        return order(left, right) == 0;
    }

    public static boolean notEqual(double left, double right) {
        return order(left, right) != 0;
    }

    public static boolean less(double left, double right) {
        return order(left, right) < 0;
    }

    public static boolean lessOrEqual(double left, double right) {
        return order(left, right) <= 0;
    }

    public static boolean greater(double left, double right) {
        return order(left, right) > 0;
    }

    public static boolean greaterOrEqual(double left, double right) {
        return order(left, right) >= 0;
    }

    private static int order(double left, double right) {
        return Double.compare(left + 0.0, right + 0.0);
    }
}
