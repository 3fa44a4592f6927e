package dev.penstock.kernel;

/**
 * Doubles that are the nearest ones to decimal fractions of few digits, as most are that were text:
 * each is a whole number divided by a power of ten, and that number is short. Values are longs in
 * the order of the doubles: see {@code FloatOrder}.
 *
 * <p>Whole numbers of less than 50 bits and powers of ten up to 10^22 are doubles themselves; so
 * their quotient is the nearest double to the fraction (Clinger 1990). Neighbours among numbers
 * that are no larger differ by more than neighbours among doubles or floats, so that different
 * numbers have different values, in the same order. What is said of values here is checked by that
 * division, bit for bit: no NaN, no infinity and no -0.0 is a decimal. After Afroozeh, Kuffó and
 * Boncz, "ALP: Adaptive Lossless floating-Point Compression" (2023), section 3, without its
 * exceptions.
 */
public final class Decimals {
    /** Most places behind the point. */
    public static final int MAX_PLACES = 22;

    /** What {@link #scale} says of values that are no decimals. */
    public static final int NONE = -1;

    /** Whole numbers are at least -2^49 and less than 2^49. */
    private static final int LIMIT_BITS = 49;

    /** The same of floats: of larger numbers several may have the same nearest float. */
    private static final int REAL_LIMIT_BITS = 23;

    /** Most bits of how far whole numbers are from each other. */
    public static final int MAX_RANGE_BITS = LIMIT_BITS + 1;

    /** Added and taken away again it rounds to whole numbers; these are then its lowest bits. */
    private static final double ROUND = 0x1.8p52;

    private static final long ROUND_BITS = Double.doubleToRawLongBits(ROUND);

    /** So many values are looked at before all are. */
    private static final int PROBES = 32;

    /** So many values are looked at between two looks at whether it is in vain. */
    private static final int WINDOW = 512;

    private static final double[] POWERS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };

    private Decimals() {}

    /**
     * Makes whole numbers of decimals: moves the point by as few places as is enough for all.
     *
     * @param real whether values are floats widened to doubles: then the nearest floats count
     * @param out gets the whole numbers, from 0 on; its content is undefined if there are none
     * @return the places, 0 to {@link #MAX_PLACES}, or {@link #NONE}
     */
    public static int scale(long[] values, int from, int count, boolean real, long[] out) {
        int places = 0;
        int step = Math.max(1, count / PROBES);
        for (int i = 0; i < count && places != NONE; i += step) {
            places = places(values[from + i], places, real);
        }
        int done = 0;
        while (done < count && places != NONE) {
            int window = Math.min(WINDOW, count - done);
            if (scale(values, from + done, window, places, real, out, done)) {
                done += window;
                continue;
            }
            int more = places;
            for (int i = from + done; i < from + done + window && more != NONE; i++) {
                more = places(values[i], more, real);
            }
            places = more;
            done = 0;
        }
        return places;
    }

    /** The least number of places, from {@code least} on, with which a value is a decimal. */
    private static int places(long value, int least, boolean real) {
        double number = Double.longBitsToDouble(bits(value));
        for (int places = least; places <= MAX_PLACES; places++) {
            double scaled = number * POWERS[places];
            if (!(Math.abs(scaled) <= limit(real))) {
                return NONE;
            }
            long whole = Double.doubleToRawLongBits(scaled + ROUND) - ROUND_BITS;
            if (isWhole(whole, real) && value(whole, places, real) == value) {
                return places;
            }
        }
        return NONE;
    }

    /** Whether all values are decimals of so many places; then all whole numbers are set. */
    private static boolean scale(
            long[] values, int from, int count, int places, boolean real, long[] out, int outAt) {
        return real
                ? scaleFloats(values, from, count, POWERS[places], out, outAt)
                : scaleDoubles(values, from, count, POWERS[places], out, outAt);
    }

    private static boolean scaleDoubles(
            long[] values, int from, int count, double power, long[] out, int outAt) {
        long wrong = 0;
        long beyond = 0;
        for (int i = 0; i < count; i++) {
            long bits = bits(values[from + i]);
            double rounded = Double.longBitsToDouble(bits) * power + ROUND;
            double back = (rounded - ROUND) / power;
            wrong |= Double.doubleToRawLongBits(back) ^ bits;
            long whole = Double.doubleToRawLongBits(rounded) - ROUND_BITS;
            out[outAt + i] = whole;
            beyond |= whole + (1L << LIMIT_BITS);
        }
        return wrong == 0 && beyond >>> LIMIT_BITS + 1 == 0;
    }

    private static boolean scaleFloats(
            long[] values, int from, int count, double power, long[] out, int outAt) {
        long wrong = 0;
        long beyond = 0;
        for (int i = 0; i < count; i++) {
            long bits = bits(values[from + i]);
            double rounded = Double.longBitsToDouble(bits) * power + ROUND;
            double back = (float) ((rounded - ROUND) / power);
            wrong |= Double.doubleToRawLongBits(back) ^ bits;
            long whole = Double.doubleToRawLongBits(rounded) - ROUND_BITS;
            out[outAt + i] = whole;
            beyond |= whole + (1L << REAL_LIMIT_BITS);
        }
        return wrong == 0 && beyond >>> REAL_LIMIT_BITS + 1 == 0;
    }

    private static long limit(boolean real) {
        return 1L << (real ? REAL_LIMIT_BITS : LIMIT_BITS);
    }

    /** Whether a number is not too large for a whole number of a decimal. */
    public static boolean isWhole(long number, boolean real) {
        return number >= -limit(real) && number < limit(real);
    }

    /** The value that a whole number stands for. */
    public static long value(long whole, int places, boolean real) {
        double quotient = number(whole) / POWERS[places];
        return bits(Double.doubleToRawLongBits(real ? (float) quotient : quotient));
    }

    /** Replaces whole numbers by the values that they stand for. */
    public static void unscale(long[] values, int from, int count, int places, boolean real) {
        double power = POWERS[places];
        if (real) {
            for (int i = from; i < from + count; i++) {
                double quotient = (float) (number(values[i]) / power);
                values[i] = bits(Double.doubleToRawLongBits(quotient));
            }
        } else {
            for (int i = from; i < from + count; i++) {
                values[i] = bits(Double.doubleToRawLongBits(number(values[i]) / power));
            }
        }
    }

    /** A whole number as a double, exactly if it has no more than 51 bits. */
    private static double number(long whole) {
        return Double.longBitsToDouble(whole + ROUND_BITS) - ROUND;
    }

    /** IEEE bits from ordered ones, and the other way round. */
    private static long bits(long ordered) {
        return ordered ^ ((ordered >> 63) & Long.MAX_VALUE);
    }
}
