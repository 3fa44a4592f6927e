package dev.penstock.convert;

import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The doubles and floats that are nearest to decimal numbers {@code digits * 10^exponent}; of two
 * that are as near, the one whose last bit is 0.
 *
 * <p>The digits are multiplied by the first 128 bits of a power of five, of which mostly the first
 * 64 say enough (Lemire, "Number Parsing at a Gigabyte per Second", section 5). That the result is
 * right for digits of up to 64 bits, without another look, is shown in Mushtak and Lemire, "Fast
 * Number Parsing Without Fallback". Where digits and power of ten are both doubles, one division or
 * multiplication says it (Clinger, "How to Read Floating Point Numbers Accurately").
 */
final class NearestFloat {
    private static final int LEAST_EXPONENT = -342;
    private static final int LARGEST_EXPONENT = 308;

    /** From here on powers of five are rounded up, as what they are multiplied with is below. */
    private static final int EXACT_INVERSES = -27;

    /**
     * For each exponent the upper and the lower word of its power of five, whose first bit is 1; 0
     * until somebody has asked for it. Most columns need a few, and all take 15 ms to find.
     */
    private static final AtomicLongArray POWERS =
            new AtomicLongArray(2 * (LARGEST_EXPONENT - LEAST_EXPONENT + 1));

    /**
     * A binary format.
     *
     * @param fractionBits that are stored of a number
     * @param bias of stored exponents
     * @param highest stored exponent, which infinity has
     * @param firstTie the least decimal exponent of a number that may lie halfway between two
     * @param lastTie the largest one
     */
    private record Format(int fractionBits, int bias, int highest, int firstTie, int lastTie) {}

    private static final Format DOUBLE = new Format(52, 1023, 0x7FF, -4, 23);
    private static final Format FLOAT = new Format(23, 127, 0xFF, -17, 10);

    /** The powers of ten that are doubles. */
    private static final double[] EXACT_POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };

    private NearestFloat() {}

    /** The upper word; the lower one can be read after it. */
    private static long power(int exponent) {
        long upper = POWERS.getAcquire(place(exponent));
        return upper != 0 ? upper : findPower(exponent);
    }

    private static int place(int exponent) {
        return 2 * (exponent - LEAST_EXPONENT);
    }

    private static long findPower(int exponent) {
        BigInteger power = BigInteger.valueOf(5).pow(Math.abs(exponent));
        int bits = power.bitLength();
        if (exponent >= 0) {
            power = power.shiftLeft(128).shiftRight(bits);
        } else {
            int spare = exponent >= EXACT_INVERSES ? 127 : bits + 128;
            power = BigInteger.ONE.shiftLeft(bits + spare).divide(power).add(BigInteger.ONE);
            power = power.shiftRight(Math.max(0, power.bitLength() - 128));
        }
        int at = place(exponent);
        POWERS.setPlain(at + 1, power.longValue());
        POWERS.setRelease(at, power.shiftRight(64).longValue());
        return POWERS.getPlain(at);
    }

    /**
     * The nearest double; an infinity if it is too large.
     *
     * @param digits unsigned
     */
    static double toDouble(long digits, int exponent) {
        if (digits >>> DOUBLE.fractionBits + 1 == 0
                && exponent > -EXACT_POWERS.length
                && exponent < EXACT_POWERS.length) {
            // Both are doubles, so that their product or quotient is the nearest one.
            return exponent < 0
                    ? digits / EXACT_POWERS[-exponent]
                    : digits * EXACT_POWERS[exponent];
        }
        return Double.longBitsToDouble(bits(digits, exponent, DOUBLE));
    }

    /** The same of floats. */
    static float toFloat(long digits, int exponent) {
        return Float.intBitsToFloat((int) bits(digits, exponent, FLOAT));
    }

    private static long bits(long digits, int exponent, Format format) {
        if (digits == 0 || exponent < LEAST_EXPONENT) {
            return 0;
        }
        int fractionBits = format.fractionBits;
        if (exponent > LARGEST_EXPONENT) {
            return (long) format.highest << fractionBits;
        }
        int leading = Long.numberOfLeadingZeros(digits);
        long factor = digits << leading;
        long power = power(exponent);
        long high = Math.unsignedMultiplyHigh(factor, power);
        long low = factor * power;
        long undecided = -1L >>> fractionBits + 3;
        if ((high & undecided) == undecided) {
            long lower = POWERS.getPlain(place(exponent) + 1);
            long more = Math.unsignedMultiplyHigh(factor, lower);
            low += more;
            high += Long.compareUnsigned(low, more) < 0 ? 1 : 0;
        }
        int upper = (int) (high >>> 63);
        int shift = upper + 61 - fractionBits;
        long fraction = high >>> shift;
        int stored = (217706 * exponent >> 16) + 63 + upper - leading + format.bias;
        if (stored <= 0) {
            return subnormal(fraction, stored);
        }
        boolean mayBeTie = exponent >= format.firstTie && exponent <= format.lastTie;
        if (mayBeTie
                && Long.compareUnsigned(low, 1) <= 0
                && (fraction & 3) == 1
                && fraction << shift == high) {
            fraction &= ~1L;
        }
        fraction = fraction + (fraction & 1) >>> 1;
        if (fraction >>> fractionBits + 1 != 0) {
            fraction = 1L << fractionBits;
            stored++;
        }
        return stored >= format.highest
                ? (long) format.highest << fractionBits
                : (fraction ^ 1L << fractionBits) | (long) stored << fractionBits;
    }

    /** A number below all those whose first bit need not be stored. */
    private static long subnormal(long fraction, int stored) {
        if (stored <= -63) {
            return 0;
        }
        long shifted = fraction >>> 1 - stored;
        // If it is rounded up to the first of the others, its bits are those of that one.
        return shifted + (shifted & 1) >>> 1;
    }
}
