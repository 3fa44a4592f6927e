package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * The scalar forms of {@link DigitKernels}' numbers; also the tails of the vector forms. A first
 * loop fetches words; others, each of which does so little that the JVM makes vectors of it, read
 * them (Lemire's "Quickly parsing eight digits", step by step).
 */
final class ScalarDigits {
    private static final long ZEROS = 0x3030303030303030L;
    private static final long HIGH_NIBBLES = 0xF0F0F0F0F0F0F0F0L;
    private static final long SIXES = 0x0606060606060606L;
    private static final long PAIRS = 0x00FF00FF00FF00FFL;
    private static final long QUADS = 0x0000FFFF0000FFFFL;
    private static final long POINT = '.' ^ '0';

    private ScalarDigits() {}

    static int numbers(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        int longer = words(text, before, end, from, count, out, at);
        long faults = faults(out, at + from, at + count);
        values(out, at + from, at + count);
        return flags(faults, longer);
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
        int longer = words(text, before, end, from, count, out, at);
        int start = at + from;
        int to = at + count;
        int pointShift = 56 - 8 * scale;
        long faults = faults(out, start, to);
        if (faults == 0) {
            values(out, start, to);
            multiply(out, start, to, unit);
        } else if (unpointed(out, start, to, pointShift) == 0) {
            takePoints(out, start, to, pointShift);
            faults = faults(out, start, to);
            values(out, start, to);
        } else {
            faults = mixed(out, start, to, pointShift, unit);
        }
        return flags(faults, longer);
    }

    static int longNumbers(
            byte[] text, int[] before, int[] end, int count, long[] out, int at, long[] heads) {
        int longer = longWords(text, before, end, count, out, at, heads);
        long faults = faults(out, at, at + count) | faults(heads, 0, count);
        values(out, at, at + count);
        values(heads, 0, count);
        addProducts(heads, 100_000_000L, out, at, count);
        return flags(faults, longer);
    }

    static int longDecimals(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            long[] out,
            int at,
            int scale,
            long[] heads) {
        int longer = longWords(text, before, end, count, out, at, heads);
        int pointShift = 56 - 8 * scale;
        if (unpointed(out, at, at + count, pointShift) != 0
                || headsAlone(heads, out, at, count) != 0) {
            return DigitKernels.FAULTY;
        }
        takePoints(out, at, at + count, pointShift);
        long faults = faults(out, at, at + count) | faults(heads, 0, count);
        values(out, at, at + count);
        values(heads, 0, count);
        addProducts(heads, 10_000_000L, out, at, count);
        return flags(faults, longer);
    }

    /** Words with a point and without. */
    private static long mixed(long[] words, int from, int to, int pointShift, long unit) {
        long mask = 0xFFL << pointShift;
        long faults = 0;
        for (int i = from; i < to; i++) {
            boolean pointed = (words[i] & mask) == POINT << pointShift;
            if (pointed) {
                takePoints(words, i, i + 1, pointShift);
            }
            faults |= faults(words, i, i + 1);
            values(words, i, i + 1);
            words[i] *= pointed ? 1 : unit;
        }
        return faults;
    }

    /** 0 if all words of digits, but for those that are 0, have a point in its place. */
    private static long unpointed(long[] words, int from, int to, int pointShift) {
        long mask = 0xFFL << pointShift;
        long point = POINT << pointShift;
        long others = 0;
        for (int i = from; i < to; i++) {
            long word = words[i];
            others |= ((word & mask) ^ point) & (word | -word) >> 63;
        }
        return others;
    }

    /** Not 0 if a head is followed by a word of 0, which has no point. */
    private static long headsAlone(long[] heads, long[] words, int at, int count) {
        long alone = 0;
        for (int i = 0; i < count; i++) {
            long word = words[at + i];
            alone |= heads[i] & ~((word | -word) >> 63);
        }
        return alone;
    }

    /** Moves what lies before the point to where it is. */
    private static void takePoints(long[] words, int from, int to, int pointShift) {
        long head = (1L << pointShift) - 1;
        long tail = -1L << (pointShift + 8);
        for (int i = from; i < to; i++) {
            long word = words[i];
            words[i] = (word & head) << 8 | (word & tail);
        }
    }

    /** 0 if all bytes are digits. */
    private static long faults(long[] words, int from, int to) {
        long faults = 0;
        for (int i = from; i < to; i++) {
            faults |= words[i] | (words[i] + SIXES);
        }
        return faults & HIGH_NIBBLES;
    }

    /** Replaces words of digits by the numbers that they stand for. */
    private static void values(long[] words, int from, int to) {
        for (int i = from; i < to; i++) {
            long word = words[i];
            words[i] = (word << 3) + (word << 1) + (word >>> 8) & PAIRS;
        }
        for (int i = from; i < to; i++) {
            words[i] = words[i] * 100 + (words[i] >>> 16) & QUADS;
        }
        for (int i = from; i < to; i++) {
            words[i] = words[i] * 10_000 + (words[i] >>> 32) & 0xFFFF_FFFFL;
        }
    }

    private static void multiply(long[] words, int from, int to, long factor) {
        for (int i = from; i < to; i++) {
            words[i] *= factor;
        }
    }

    private static void addProducts(long[] heads, long factor, long[] out, int at, int count) {
        for (int i = 0; i < count; i++) {
            out[at + i] += heads[i] * factor;
        }
    }

    /**
     * Each field's digits, the last one highest; 0 for fields that are empty or longer.
     *
     * @return negative if there are longer ones
     */
    private static int words(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        int longer = 0;
        for (int i = from; i < count; i++) {
            int start = before[i] + 1;
            int length = end[i] - start;
            int room = DigitKernels.WORD_CHARACTERS - length;
            longer |= room;
            int shift = 4 * room;
            long word = ((ByteAccess.getLong(text, start) ^ ZEROS) << shift) << shift;
            out[at + i] = word & ~(room >> 31);
        }
        return longer;
    }

    /**
     * The last eight characters of each field as {@link #words} has them, and the eight before.
     *
     * @return negative if there are longer fields
     */
    private static int longWords(
            byte[] text, int[] before, int[] end, int count, long[] out, int at, long[] heads) {
        int longer = 0;
        for (int i = 0; i < count; i++) {
            int start = before[i] + 1;
            int length = end[i] - start;
            longer |= 2 * DigitKernels.WORD_CHARACTERS - length;
            int beyond = Math.max(length - DigitKernels.WORD_CHARACTERS, 0);
            int shift = 4 * (DigitKernels.WORD_CHARACTERS - length + beyond);
            int headShift = 4 * (DigitKernels.WORD_CHARACTERS - beyond);
            long word = ByteAccess.getLong(text, start + beyond) ^ ZEROS;
            long head = ByteAccess.getLong(text, start) ^ ZEROS;
            out[at + i] = (word << shift) << shift;
            heads[i] = (head << headShift) << headShift;
        }
        return longer;
    }

    /** An answer of {@link DigitKernels}; a negative number stands for longer fields. */
    static int flags(long faults, long longer) {
        return (faults == 0 ? 0 : DigitKernels.FAULTY) | (longer < 0 ? DigitKernels.LONGER : 0);
    }
}
