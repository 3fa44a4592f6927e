package dev.penstock.convert;

import dev.penstock.reject.RejectReason;
import dev.penstock.schema.FloatOrder;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * REAL and DOUBLE: an optional sign, digits with an optional point, an optional exponent; or NaN,
 * Infinity, inf, with a sign or without, in any case.
 *
 * <p>Numbers of at most 53 (REAL: 24) bits with a small power of ten are exact in one
 * multiplication or division (Clinger 1990); the others go through the JDK's parser.
 */
final class FloatText {
    private static final double[] DOUBLE_POWERS = new double[23];
    private static final float[] FLOAT_POWERS = new float[11];
    private static final int MAX_EXPONENT_DIGITS = 4;

    /** Characters whose digits fit a long. */
    private static final int MAX_PLAIN = 18;

    static {
        for (int i = 0; i < DOUBLE_POWERS.length; i++) {
            DOUBLE_POWERS[i] = Double.parseDouble("1e" + i);
        }
        for (int i = 0; i < FLOAT_POWERS.length; i++) {
            FLOAT_POWERS[i] = Float.parseFloat("1e" + i);
        }
    }

    private FloatText() {}

    static boolean convertDoubles(FieldBounds fields, long[] out, int at) {
        return convert(fields, out, at, false);
    }

    static boolean convertReals(FieldBounds fields, long[] out, int at) {
        return convert(fields, out, at, true);
    }

    private static boolean convert(FieldBounds fields, long[] out, int at, boolean real) {
        byte[] text = fields.text();
        int count = fields.count();
        for (int i = 0; i < count; i++) {
            if (fields.length(i) == 0) {
                out[at + i] = 0;
                continue;
            }
            double value = plain(text, fields.start(i), fields.length(i), real);
            if (value < 0) {
                if (!hasForm(text, fields.start(i), fields.length(i))) {
                    return false;
                }
                value = value(text, fields.start(i), fields.length(i), real);
            }
            if (Double.isInfinite(value)) {
                return false;
            }
            out[at + i] = FloatOrder.toOrdered(value);
        }
        return true;
    }

    /** Digits with a point or without, exact in one division; -1 of all that is not. */
    private static double plain(byte[] text, int from, int length, boolean real) {
        if (length > MAX_PLAIN) {
            return -1;
        }
        int to = from + length;
        int point = to - 1;
        long mantissa = 0;
        for (int at = from; at < to; at++) {
            int digit = text[at] - '0';
            if (digit >= 0 && digit <= 9) {
                mantissa = 10 * mantissa + digit;
            } else if (digit == '.' - '0' && point == to - 1 && at < to - 1) {
                point = at;
            } else {
                return -1;
            }
        }
        int decimals = to - 1 - point;
        if (real) {
            boolean exact = mantissa < 1L << 24 && decimals < FLOAT_POWERS.length;
            return exact ? mantissa / FLOAT_POWERS[decimals] : -1;
        }
        return mantissa < 1L << 53 ? mantissa / DOUBLE_POWERS[decimals] : -1;
    }

    static Parsed parse(boolean real, byte[] text, int from, int length) {
        if (!hasForm(text, from, length)) {
            double word = word(text, from, length);
            boolean known = word != 0;
            return known
                    ? new Parsed.LongValue(FloatOrder.toOrdered(word))
                    : new Parsed.Invalid(
                            RejectReason.BAD_VALUE,
                            "a number such as -1.5 or 2e10, NaN or Infinity"
                                    + blanks(text, from, length));
        }
        double value = value(text, from, length, real);
        if (Double.isInfinite(value)) {
            return new Parsed.Invalid(
                    RejectReason.OUT_OF_RANGE,
                    "a number within " + (real ? "REAL, up to 3.4e38" : "DOUBLE, up to 1.8e308"));
        }
        return new Parsed.LongValue(FloatOrder.toOrdered(value));
    }

    private static String blanks(byte[] text, int from, int length) {
        boolean blanks = length > 0 && (text[from] == ' ' || text[from + length - 1] == ' ');
        return blanks ? "; remove the blanks around it" : "";
    }

    /** NaN, an infinity, or 0 if it is neither. */
    private static double word(byte[] text, int from, int length) {
        if (length > "-infinity".length()) {
            return 0;
        }
        String word =
                new String(text, from, length, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
        return switch (word) {
            case "nan" -> Double.NaN;
            case "infinity", "+infinity", "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-infinity", "-inf" -> Double.NEGATIVE_INFINITY;
            default -> 0;
        };
    }

    /** Whether text is a decimal number, with an exponent or without. */
    private static boolean hasForm(byte[] text, int from, int length) {
        int to = from + length;
        int at = from < to && (text[from] == '-' || text[from] == '+') ? from + 1 : from;
        int digits = Digits.run(text, at, to);
        at += digits;
        if (at < to && text[at] == '.') {
            int decimals = Digits.run(text, at + 1, to);
            digits += decimals;
            at += 1 + decimals;
        }
        if (digits == 0) {
            return false;
        }
        if (at < to && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            at += at < to && (text[at] == '-' || text[at] == '+') ? 1 : 0;
            int exponent = Digits.run(text, at, to);
            at = exponent == 0 ? -1 : at + exponent;
        }
        return at == to;
    }

    private static double value(byte[] text, int from, int length, boolean real) {
        int to = from + length;
        boolean negative = text[from] == '-';
        int at = negative || text[from] == '+' ? from + 1 : from;
        long mantissa = 0;
        int digits = 0;
        int exponent = 0;
        boolean point = false;
        for (; at < to && (text[at] == '.' || Digits.isDigit(text[at])); at++) {
            if (text[at] == '.') {
                point = true;
            } else {
                mantissa = 10 * mantissa + (text[at] - '0');
                digits += mantissa == 0 ? 0 : 1;
                exponent -= point ? 1 : 0;
            }
        }
        boolean simple = digits <= 18;
        if (at < to) {
            int sign = text[at + 1] == '-' ? -1 : 1;
            int first = text[at + 1] == '-' || text[at + 1] == '+' ? at + 2 : at + 1;
            simple &= to - first <= MAX_EXPONENT_DIGITS;
            exponent += simple ? sign * (int) Digits.number(text, first, to - first) : 0;
        }
        if (simple && real && mantissa < 1L << 24 && Math.abs(exponent) < FLOAT_POWERS.length) {
            float power = FLOAT_POWERS[Math.abs(exponent)];
            float value = exponent < 0 ? mantissa / power : mantissa * power;
            return negative ? -value : value;
        }
        if (simple && !real && mantissa < 1L << 53 && Math.abs(exponent) < DOUBLE_POWERS.length) {
            double power = DOUBLE_POWERS[Math.abs(exponent)];
            double value = exponent < 0 ? mantissa / power : mantissa * power;
            return negative ? -value : value;
        }
        String all = new String(text, from, length, StandardCharsets.US_ASCII);
        return real ? Float.parseFloat(all) : Double.parseDouble(all);
    }
}
