package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** The scalar forms of {@link DigitKernels}' numbers; also the tails of the vector forms. */
final class ScalarDigits {
    private static final long ZEROS = 0x3030303030303030L;
    private static final long HIGH_NIBBLES = 0xF0F0F0F0F0F0F0F0L;
    private static final long SIXES = 0x0606060606060606L;
    private static final long PAIRS = 0x00FF00FF00FF00FFL;
    private static final long QUADS = 0x000000FF000000FFL;
    private static final long HIGH_FACTORS = 0x000F424000000064L;
    private static final long LOW_FACTORS = 0x0000271000000001L;

    private ScalarDigits() {}

    static int numbers(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        long faults = 0;
        int empty = 0;
        int longer = 0;
        for (int i = from; i < count; i++) {
            int start = before[i] + 1;
            int length = end[i] - start;
            empty |= length - 1;
            int room = DigitKernels.WORD_CHARACTERS - length;
            longer |= room;
            int shift = 4 * room;
            long word = ((ByteAccess.getLong(text, start) ^ ZEROS) << shift) << shift;
            word &= ~(room >> 31);
            faults |= word | (word + SIXES);
            long pairs = (word * 10 + (word >>> 8)) & PAIRS;
            long high = (pairs & QUADS) * HIGH_FACTORS;
            long low = ((pairs >>> 16) & QUADS) * LOW_FACTORS;
            out[at + i] = (high + low) >>> 32;
        }
        return flags(faults & HIGH_NIBBLES, empty, longer);
    }

    static int decimals(
            byte[] text,
            int[] before,
            int[] end,
            int from,
            int count,
            long[] out,
            int at,
            int scale,
            long unit) {
        int pointShift = 56 - 8 * scale;
        long point = (long) ('.' ^ '0') << pointShift;
        long pointMask = 0xFFL << pointShift;
        long head = (1L << pointShift) - 1;
        long tail = -1L << (pointShift + 8);
        long faults = 0;
        int empty = 0;
        int longer = 0;
        for (int i = from; i < count; i++) {
            int start = before[i] + 1;
            int length = end[i] - start;
            empty |= length - 1;
            int room = DigitKernels.WORD_CHARACTERS - length;
            longer |= room;
            int shift = 4 * room;
            long word = ((ByteAccess.getLong(text, start) ^ ZEROS) << shift) << shift;
            word &= ~(room >> 31);
            // All ones if the point is there: only then is the difference 0.
            long pointed = (((word & pointMask) ^ point) - 1) >> 63;
            long moved = (word & head) << 8 | (word & tail);
            word = (moved & pointed) | (word & ~pointed);
            faults |= word | (word + SIXES);
            long pairs = (word * 10 + (word >>> 8)) & PAIRS;
            long high = (pairs & QUADS) * HIGH_FACTORS;
            long low = ((pairs >>> 16) & QUADS) * LOW_FACTORS;
            long value = (high + low) >>> 32;
            out[at + i] = value * (unit - ((unit - 1) & pointed));
        }
        return flags(faults & HIGH_NIBBLES, empty, longer);
    }

    /** An answer of {@link DigitKernels}; negative numbers stand for empty and longer fields. */
    static int flags(long faults, long empty, long longer) {
        return (faults == 0 ? 0 : DigitKernels.FAULTY)
                | (empty < 0 ? DigitKernels.EMPTY : 0)
                | (longer < 0 ? DigitKernels.LONGER : 0);
    }
}
