package dev.penstock.convert;

import dev.penstock.reject.RejectReason;
import dev.penstock.schema.FloatOrder;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * REAL and DOUBLE: an optional sign, digits with an optional point, an optional exponent; or NaN,
 * Infinity, inf, with a sign or without, in any case.
 *
 * <p>Numbers of up to {@link #MAX_DIGITS} digits are what {@link NearestFloat} finds; others go
 * through the JDK's parser.
 */
final class FloatText {
    /** Digits that fit an unsigned long. */
    private static final int MAX_DIGITS = 19;

    /**
     * Larger exponents make zero or an infinity of all numbers that are no longer than a record.
     */
    private static final long MAX_EXPONENT = 1L << 40;

    private static final long NO_EXPONENT = Long.MIN_VALUE;

    /** Characters of a number that is read by words; the branches of longer ones are foreseen. */
    private static final int MAX_SHORT = 16;

    private static final long TEN_TO_8 = 100_000_000L;

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
            double value = number(text, fields.start(i), fields.length(i), real);
            if (Double.isNaN(value) || Double.isInfinite(value)) {
                return false;
            }
            out[at + i] = FloatOrder.toOrdered(value);
        }
        return true;
    }

    /** The number that a text is; NaN if it is none, an infinity if it is too large. */
    private static double number(byte[] text, int from, int length, boolean real) {
        int to = from + length;
        boolean signed = from < to && (text[from] == '-' || text[from] == '+');
        int first = signed ? from + 1 : from;
        int characters = to - first;
        if (characters <= MAX_SHORT && first + 8 <= text.length) {
            double value =
                    characters <= 8
                            ? oneWord(text, first, characters, real)
                            : twoWords(text, first, to, real);
            if (!Double.isNaN(value)) {
                return text[from] == '-' ? -value : value;
            }
        }
        return anyNumber(text, from, to, first, real);
    }

    /** A number of up to eight digits and point; NaN if it is none of that form. */
    private static double oneWord(byte[] text, int first, int characters, boolean real) {
        long word = Digits.word(text, first, characters);
        int place = Digits.pointPlace(word);
        long digits = Digits.withoutPoint(word, place);
        // A point alone is no number.
        boolean some = characters > 1 || characters == 1 && place == 8;
        if (!some || Digits.faults(digits) != 0) {
            return Double.NaN;
        }
        int behind = place == 8 ? 0 : 7 - place;
        return nearest(Digits.value(digits), -behind, real);
    }

    /** A longer one with one to seven digits before its point and one to eight behind. */
    private static double twoWords(byte[] text, int first, int to, boolean real) {
        int before = Digits.pointPlace(Digits.word(text, first, 8));
        int behind = to - first - before - 1;
        if (before == 0 || before == 8 || behind < 1 || behind > 8) {
            return Double.NaN;
        }
        long head = Digits.word(text, first, before);
        long tail = Digits.lastWord(text, to, behind);
        if ((Digits.faults(head) | Digits.faults(tail)) != 0) {
            return Double.NaN;
        }
        long digits = Digits.value(head) * Digits.power(behind) + Digits.value(tail);
        return nearest(digits, -behind, real);
    }

    private static double nearest(long digits, int power, boolean real) {
        return real ? NearestFloat.toFloat(digits, power) : NearestFloat.toDouble(digits, power);
    }

    /** A number in any form, digit by digit before its point. */
    private static double anyNumber(byte[] text, int from, int to, int first, boolean real) {
        int point = first;
        long digits = 0;
        while (point < to && Digits.isDigit(text[point])) {
            digits = 10 * digits + (text[point++] - '0');
        }
        int end = point;
        if (end < to && text[end] == '.') {
            end++;
            while (end + 8 <= to && Digits.faults(Digits.word(text, end, 8)) == 0) {
                digits = digits * TEN_TO_8 + Digits.value(Digits.word(text, end, 8));
                end += 8;
            }
            int left = to - end;
            if (left > 0 && left < 8 && to >= 8) {
                long word = Digits.lastWord(text, to, left);
                if (Digits.faults(word) == 0) {
                    digits = digits * Digits.power(left) + Digits.value(word);
                    end = to;
                }
            }
            while (end < to && Digits.isDigit(text[end])) {
                digits = 10 * digits + (text[end++] - '0');
            }
        }
        int decimals = Math.max(0, end - point - 1);
        int count = point - first + decimals;
        long exponent = end == to ? 0 : exponent(text, end, to);
        if (count == 0 || exponent == NO_EXPONENT) {
            return Double.NaN;
        }
        if (count > MAX_DIGITS && count - leadingZeros(text, first, end) > MAX_DIGITS) {
            return longNumber(text, from, to - from, real);
        }
        int power = Math.clamp(exponent - decimals, Integer.MIN_VALUE, Integer.MAX_VALUE);
        double value = nearest(digits, power, real);
        return text[from] == '-' ? -value : value;
    }

    /** What follows the digits: e, a sign perhaps, and digits; {@link #NO_EXPONENT} if not that. */
    private static long exponent(byte[] text, int from, int to) {
        int at = from + 1;
        boolean signed = at < to && (text[at] == '-' || text[at] == '+');
        int first = signed ? at + 1 : at;
        if ((text[from] | 0x20) != 'e' || first == to) {
            return NO_EXPONENT;
        }
        long value = 0;
        for (int i = first; i < to; i++) {
            if (!Digits.isDigit(text[i])) {
                return NO_EXPONENT;
            }
            value = Math.min(MAX_EXPONENT, 10 * value + (text[i] - '0'));
        }
        return text[at] == '-' ? -value : value;
    }

    private static int leadingZeros(byte[] text, int from, int to) {
        int zeros = 0;
        for (int i = from; i < to && (text[i] == '0' || text[i] == '.'); i++) {
            zeros += text[i] == '0' ? 1 : 0;
        }
        return zeros;
    }

    private static double longNumber(byte[] text, int from, int length, boolean real) {
        String all = new String(text, from, length, StandardCharsets.US_ASCII);
        return real ? Float.parseFloat(all) : Double.parseDouble(all);
    }

    static Parsed parse(boolean real, byte[] text, int from, int length) {
        double value = number(text, from, length, real);
        if (Double.isNaN(value)) {
            double word = word(text, from, length);
            boolean known = word != 0;
            return known
                    ? new Parsed.LongValue(FloatOrder.toOrdered(word))
                    : new Parsed.Invalid(
                            RejectReason.BAD_VALUE,
                            "a number such as -1.5 or 2e10, NaN or Infinity"
                                    + blanks(text, from, length));
        }
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
}
