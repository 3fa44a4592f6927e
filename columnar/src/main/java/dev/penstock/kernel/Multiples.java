package dev.penstock.kernel;

/**
 * Longs that are all multiples of one number, as times of full seconds are when they are counted in
 * microseconds: the quotients are short. Divisors are {@code 5^fives << shift}, which the powers of
 * ten are among.
 *
 * <p>Multiples of an odd number are recognised without a division: multiplied by the number's
 * inverse modulo 2^64, they and no others become their quotients, which are at most {@link
 * Long#MAX_VALUE} divided by the number.
 */
public final class Multiples {
    private static final int MAX_SHIFT = 62;
    private static final int MAX_FIVES = 27;

    /** What {@link #divide} says of values that have no divisor. */
    public static final int NONE = 0;

    /** So many values are looked at before all are. */
    private static final int PROBES = 16;

    private static final long[] POWERS = new long[MAX_FIVES + 1];
    private static final long[] INVERSES = new long[MAX_FIVES + 1];

    static {
        POWERS[0] = 1;
        INVERSES[0] = 1;
        long inverseOfFive = 0xCCCC_CCCC_CCCC_CCCDL;
        for (int i = 1; i <= MAX_FIVES; i++) {
            POWERS[i] = POWERS[i - 1] * 5;
            INVERSES[i] = INVERSES[i - 1] * inverseOfFive;
        }
    }

    private Multiples() {}

    /** The divisor that {@link #divide} has found. */
    public static long divisor(int divisor) {
        return POWERS[divisor >> 8] << (divisor & 0xFF);
    }

    /** Whether {@link #divide} could have found it. */
    public static boolean isDivisor(int divisor) {
        int shift = divisor & 0xFF;
        int fives = divisor >> 8;
        return shift >= 1
                && shift <= MAX_SHIFT
                && fives >= 0
                && fives <= MAX_FIVES
                && POWERS[fives] <= Long.MAX_VALUE >> shift;
    }

    /**
     * Divides values by the greatest of the divisors that they all have. It is even, since few
     * values that have only another one would be worth a look at all.
     *
     * @param out gets the quotients, from 0 on, if there is a divisor; else its content is
     *     undefined
     * @return {@code shift | fives << 8}, or {@link #NONE}, also if all values are 0
     */
    public static int divide(long[] values, int from, int count, long[] out) {
        int shift = shift(values, from, count);
        if (shift == 0) {
            return NONE;
        }
        int fives = MAX_FIVES;
        do {
            int row = nextNot(values, from, count, shift, fives);
            if (row < count) {
                fives = fives(values[from + row] >> shift, fives);
            }
        } while (!quotients(values, from, count, shift, fives, out));
        return shift | fives << 8;
    }

    /** The exponent of the greatest power of two that divides all values; 0 if they are all 0. */
    private static int shift(long[] values, int from, int count) {
        long any = 0;
        int step = Math.max(1, count / PROBES);
        for (int i = 0; i < count; i += step) {
            any |= values[from + i];
        }
        if ((any & 1) != 0) {
            return 0;
        }
        for (int i = 0; i < count; i++) {
            any |= values[from + i];
        }
        return any == 0 ? 0 : Math.min(MAX_SHIFT, Long.numberOfTrailingZeros(any));
    }

    /** The exponent, up to {@code most}, of the greatest power of five that divides a value. */
    private static int fives(long value, int most) {
        int fives = most;
        while (value % POWERS[fives] != 0) {
            fives--;
        }
        return fives;
    }

    /** The first value that is no multiple of {@code 5^fives << shift}, or {@code count}. */
    private static int nextNot(long[] values, int from, int count, int shift, int fives) {
        int row = 0;
        while (row < count && (values[from + row] >> shift) % POWERS[fives] == 0) {
            row++;
        }
        return row;
    }

    /** Whether all values are multiples of {@code 5^fives << shift}; then all quotients are set. */
    private static boolean quotients(
            long[] values, int from, int count, int shift, int fives, long[] out) {
        long inverse = INVERSES[fives];
        long limit = Long.MAX_VALUE / POWERS[fives];
        long beyond = 0;
        for (int i = 0; i < count; i++) {
            long quotient = (values[from + i] >> shift) * inverse;
            out[i] = quotient;
            // Negative if the quotient is not in [-limit, limit].
            beyond |= (limit - quotient) | (limit + quotient);
        }
        return fives == 0 || beyond >= 0;
    }
}
