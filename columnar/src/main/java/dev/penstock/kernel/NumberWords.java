package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * The scalar forms of numbers for {@link DigitKernels}; also the tails of the vector forms, and
 * what these leave alone. A first loop fetches words; others, each of which does so little that the
 * JVM makes vectors of it, read them (Lemire's "Quickly parsing eight digits", step by step).
 *
 * <p>All take the fields from {@code from} to {@code count}.
 */
final class NumberWords {
    static final long ZEROS = 0x3030303030303030L;
    static final long HIGH_NIBBLES = 0xF0F0F0F0F0F0F0F0L;
    static final long SIXES = 0x0606060606060606L;
    static final long PAIRS = 0x00FF00FF00FF00FFL;
    static final long QUADS = 0x0000FFFF0000FFFFL;
    static final long POINT = '.' ^ '0';

    /** What the eight characters before the last eight are worth, if no point is among these. */
    static final long HEAD_OF_NUMBER = 100_000_000L;

    /** The same if there is one. */
    static final long HEAD_OF_DECIMAL = 10_000_000L;

    private NumberWords() {}

    static boolean numbers(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        words(text, before, end, from, count, out, at);
        long faults = faults(out, at + from, at + count);
        values(out, at + from, at + count);
        return faults == 0;
    }

    static boolean decimals(
            byte[] text,
            int[] before,
            int[] end,
            int from,
            int count,
            long[] out,
            int at,
            int scale,
            long unit) {
        words(text, before, end, from, count, out, at);
        int first = at + from;
        int to = at + count;
        int pointShift = 56 - 8 * scale;
        long faults = faults(out, first, to);
        if (faults == 0) {
            values(out, first, to);
            multiply(out, first, to, unit);
        } else if (unpointed(out, first, to, pointShift) == 0) {
            takePoints(out, first, to, pointShift);
            faults = faults(out, first, to);
            values(out, first, to);
        } else {
            faults = mixed(out, first, to, pointShift, unit);
        }
        return faults == 0;
    }

    static boolean longNumbers(
            byte[] text,
            int[] before,
            int[] end,
            int from,
            int count,
            long[] out,
            int at,
            long[] heads) {
        longWords(text, before, end, from, count, out, at, heads);
        long faults = faults(out, at + from, at + count) | faults(heads, from, count);
        values(out, at + from, at + count);
        values(heads, from, count);
        addProducts(heads, HEAD_OF_NUMBER, out, at, from, count);
        return faults == 0;
    }

    static boolean longDecimals(
            byte[] text,
            int[] before,
            int[] end,
            int from,
            int count,
            long[] out,
            int at,
            int scale,
            long[] heads) {
        longWords(text, before, end, from, count, out, at, heads);
        int first = at + from;
        int to = at + count;
        int pointShift = 56 - 8 * scale;
        if (unpointed(out, first, to, pointShift) != 0
                || headsAlone(heads, out, at, from, count) != 0) {
            return false;
        }
        takePoints(out, first, to, pointShift);
        long faults = faults(out, first, to) | faults(heads, from, count);
        values(out, first, to);
        values(heads, from, count);
        addProducts(heads, HEAD_OF_DECIMAL, out, at, from, count);
        return faults == 0;
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
    private static long headsAlone(long[] heads, long[] words, int at, int from, int count) {
        long alone = 0;
        for (int i = from; i < count; i++) {
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

    static void multiply(long[] words, int from, int to, long factor) {
        for (int i = from; i < to; i++) {
            words[i] *= factor;
        }
    }

    private static void addProducts(
            long[] heads, long factor, long[] out, int at, int from, int count) {
        for (int i = from; i < count; i++) {
            out[at + i] += heads[i] * factor;
        }
    }

    /** Each field's digits, the last one highest; 0 for empty fields. */
    private static void words(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        for (int i = from; i < count; i++) {
            int start = before[i] + 1;
            int shift = 4 * (DigitKernels.WORD_CHARACTERS - end[i] + start);
            out[at + i] = ((ByteAccess.getLong(text, start) ^ ZEROS) << shift) << shift;
        }
    }

    /** The last eight characters of each field as {@link #words} has them, and the eight before. */
    private static void longWords(
            byte[] text,
            int[] before,
            int[] end,
            int from,
            int count,
            long[] out,
            int at,
            long[] heads) {
        for (int i = from; i < count; i++) {
            int start = before[i] + 1;
            int length = end[i] - start;
            int beyond = Math.max(length - DigitKernels.WORD_CHARACTERS, 0);
            int shift = 4 * (DigitKernels.WORD_CHARACTERS - length + beyond);
            int headShift = 4 * (DigitKernels.WORD_CHARACTERS - beyond);
            long word = ByteAccess.getLong(text, start + beyond) ^ ZEROS;
            long head = ByteAccess.getLong(text, start) ^ ZEROS;
            out[at + i] = (word << shift) << shift;
            heads[i] = (head << headShift) << headShift;
        }
    }
}
