package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * Columns of short numbers and dates. A first pass copies eight bytes from each start on; a second
 * does the same arithmetic on every word, so that vectors can: it shifts a value's last character
 * into the highest byte, takes '0' off and multiplies digits together. Nothing in it branches: what
 * is wrong gathers in one word of faults.
 *
 * <p>Field i is {@code text[before[i] + 1, end[i])}. Vector and scalar forms as in {@link
 * ScanKernels}. Eight bytes after each start, ten for dates, must be readable.
 */
public final class DigitKernels {
    /** Most characters of a number that fits a word. */
    public static final int WORD_CHARACTERS = 8;

    /** Bit of an answer: some fields are no numbers. */
    public static final int FAULTY = 1;

    /** Bit of an answer: some fields are longer than a word; their values are 0. */
    public static final int LONGER = 2;

    private DigitKernels() {}

    /** Whole numbers of at most 8 digits; answers what is wrong with them. Empty ones are 0. */
    public static int numbers(byte[] text, int[] before, int[] end, int count, long[] out, int at) {
        return KernelSelection.vector()
                ? VectorDigits.numbers(text, before, end, count, out, at)
                : ScalarDigits.numbers(text, before, end, 0, count, out, at);
    }

    /**
     * Numbers of at most 8 characters. Those with a point before their last {@code scale} (1..6)
     * characters are read without it, those without it are multiplied by {@code unit}, 10 to the
     * power of the scale.
     */
    public static int decimals(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            long[] out,
            int at,
            int scale,
            long unit) {
        return KernelSelection.vector()
                ? VectorDigits.decimals(text, before, end, count, out, at, scale, unit)
                : ScalarDigits.decimals(text, before, end, 0, count, out, at, scale, unit);
    }

    /**
     * Days since 1970-01-01 of dates {@code yyyy-mm-dd}; 0 of empty fields.
     *
     * @param scratch of {@code count} words
     * @return not 0 if some fields are not empty and no dates of the years 0001 to 9999
     */
    public static long dates(
            byte[] text, int[] before, int[] end, int count, long[] out, int at, long[] scratch) {
        return KernelSelection.vector()
                ? VectorDates.dates(text, before, end, count, out, at, scratch)
                : ScalarDates.dates(text, before, end, 0, count, out, at);
    }

    /**
     * Whole numbers of at most 16 digits, otherwise as {@link #numbers}.
     *
     * @param scratch of {@code count} words
     */
    public static int longNumbers(
            byte[] text, int[] before, int[] end, int count, long[] out, int at, long[] scratch) {
        return ScalarDigits.longNumbers(text, before, end, count, out, at, scratch);
    }

    /**
     * Numbers of at most 16 characters with a point before their last {@code scale} characters;
     * numbers without one are {@link #FAULTY} but for 0.
     *
     * @param scratch of {@code count} words
     */
    public static int longDecimals(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            long[] out,
            int at,
            int scale,
            long[] scratch) {
        return ScalarDigits.longDecimals(text, before, end, count, out, at, scale, scratch);
    }

    /** The eight bytes from each field's start on, plus {@code offset}. */
    static void load(byte[] text, int[] before, int offset, int count, long[] out, int at) {
        int skip = 1 + offset;
        for (int i = 0; i < count; i++) {
            out[at + i] = ByteAccess.getLong(text, before[i] + skip);
        }
    }
}
