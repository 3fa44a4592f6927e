package dev.penstock.kernel;

/** The scalar forms of {@link DigitKernels}; also the tails of the vector forms. */
final class ScalarDigits {
    private static final long HIGH_NIBBLES = 0xF0F0F0F0F0F0F0F0L;
    private static final long SIXES = 0x0606060606060606L;
    private static final long PAIRS = 0x00FF00FF00FF00FFL;
    private static final long QUADS = 0x000000FF000000FFL;
    private static final long HIGH_FACTORS = 0x000F424000000064L;
    private static final long LOW_FACTORS = 0x0000271000000001L;

    private ScalarDigits() {}

    static long numbers(long[] words, int at, int count) {
        long faults = 0;
        for (int i = at; i < at + count; i++) {
            long word = words[i];
            faults |= (word | (word + SIXES)) & HIGH_NIBBLES;
            long pairs = ((word << 3) + (word << 1) + (word >>> 8)) & PAIRS;
            long high = (pairs & QUADS) * HIGH_FACTORS;
            long low = ((pairs >>> 16) & QUADS) * LOW_FACTORS;
            words[i] = (high + low) >>> 32;
        }
        return faults;
    }

    static long decimals(long[] words, int at, int count, int scale, long unit) {
        int pointShift = 56 - 8 * scale;
        long point = (long) ('.' ^ '0') << pointShift;
        long pointMask = 0xFFL << pointShift;
        long before = (1L << pointShift) - 1;
        long after = -1L << (pointShift + 8);
        long faults = 0;
        for (int i = at; i < at + count; i++) {
            long word = words[i];
            // All ones if the point is there: only then is the difference 0.
            long pointed = (((word & pointMask) ^ point) - 1) >> 63;
            long moved = (word & before) << 8 | (word & after);
            word = (moved & pointed) | (word & ~pointed);
            faults |= (word | (word + SIXES)) & HIGH_NIBBLES;
            long pairs = ((word << 3) + (word << 1) + (word >>> 8)) & PAIRS;
            long high = (pairs & QUADS) * HIGH_FACTORS;
            long low = ((pairs >>> 16) & QUADS) * LOW_FACTORS;
            long value = (high + low) >>> 32;
            words[i] = value * (unit - ((unit - 1) & pointed));
        }
        return faults;
    }

    /** Hinnant's days_from_civil; divisions by multiplication, conditions as masks. */
    static long days(long[] words, int at, int count) {
        long faults = 0;
        for (int i = at; i < at + count; i++) {
            long word = words[i];
            faults |= (word | (word + SIXES)) & HIGH_NIBBLES;
            long pairs = ((word << 3) + (word << 1) + (word >>> 8)) & PAIRS;
            long year = (pairs & 0xFF) * 100 + (pairs >>> 16 & 0xFF);
            long month = pairs >>> 32 & 0xFF;
            long day = pairs >>> 48;
            long century = (year * 5243) >>> 19;
            // All ones where the name says so.
            long early = (month - 3) >> 63;
            long february = ((month ^ 2) - 1) >> 63;
            long fourth = ((year & 3) - 1) >> 63;
            long hundredth = (year - century * 100 - 1) >> 63;
            long fourthCentury = ((century & 3) - 1) >> 63;
            long leap = fourth & (~hundredth | fourthCentury);
            long usualDays = 30 + ((month ^ month >>> 3) & 1);
            long monthDays = usualDays + (february & (28 - usualDays - leap));
            faults |= (year - 1 | month - 1 | 12 - month | day - 1 | monthDays - day) >> 63;
            long shiftedYear = year + early;
            long shiftedCentury = (shiftedYear * 5243) >>> 19;
            long shiftedMonth = month - 3 + (early & 12);
            long dayOfYear = ((153 * shiftedMonth + 2) * 52_429 >>> 18) + day - 1;
            words[i] =
                    365 * shiftedYear
                            + (shiftedYear >>> 2)
                            - shiftedCentury
                            + (shiftedCentury >>> 2)
                            + dayOfYear
                            - 719_468;
        }
        return faults;
    }
}
