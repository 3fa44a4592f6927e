package dev.penstock.kernel;

/**
 * Columns of numbers and dates. A first pass copies eight bytes from each start on; others do the
 * same arithmetic on every word, so that vectors can: they shift a value's last character into the
 * highest byte, take '0' off and multiply digits together. Nothing in them branches: what is wrong
 * gathers in one word of faults.
 *
 * <p>Field i is {@code text[before[i] + 1, end[i])}. Vector and scalar forms as in {@link
 * ScanKernels}; of the scalar loops for numbers the JVM makes vectors itself, one for each step.
 * Eight bytes after each start, ten for dates, must be readable.
 */
public final class DigitKernels {
    /** Most characters of a number that fits a word. */
    public static final int WORD_CHARACTERS = 8;

    /** Most characters of a number that fits two words. */
    public static final int LONG_CHARACTERS = 16;

    private DigitKernels() {}

    /** Whole numbers of at most 8 digits; answers whether all are. Empty fields are 0. */
    public static boolean numbers(
            byte[] text, int[] before, int[] end, int count, long[] out, int at) {
        return VectorKernels.numbers()
                ? VectorNumbers.numbers(text, before, end, count, out, at)
                : NumberWords.numbers(text, before, end, 0, count, out, at);
    }

    /**
     * Numbers of at most 8 characters; answers whether all fields are. Those with a point before
     * their last {@code scale} (1..6) characters are read without it, those without it are
     * multiplied by {@code unit}, 10 to the power of the scale. Empty fields are 0.
     */
    public static boolean decimals(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            long[] out,
            int at,
            int scale,
            long unit) {
        return VectorKernels.numbers()
                ? VectorNumbers.decimals(text, before, end, count, out, at, scale, unit)
                : NumberWords.decimals(text, before, end, 0, count, out, at, scale, unit);
    }

    /**
     * Days since 1970-01-01 of dates {@code yyyy-mm-dd}; 0 of empty fields.
     *
     * @param full whether all fields are known to have ten bytes
     * @param scratch of {@code count} words
     * @return not 0 if some fields are not empty and no dates of the years 0001 to 9999
     */
    public static long dates(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            boolean full,
            long[] out,
            int at,
            long[] scratch) {
        if (VectorKernels.convert(count)) {
            return VectorDates.dates(text, before, end, count, full, out, at, scratch);
        }
        return full
                ? ScalarDates.fullDates(text, before, end, count, out, at)
                : ScalarDates.dates(text, before, end, 0, count, out, at);
    }

    /**
     * Days since 1970-01-01 of the date {@code yyyy-mm-dd} at {@code start}, or {@code noDate} if
     * there is none of the years 0001 to 9999.
     */
    public static long day(byte[] text, int start, long noDate) {
        return ScalarDates.day(text, start, noDate);
    }

    /**
     * Whole numbers of at most 16 digits, otherwise as {@link #numbers}.
     *
     * @param scratch of {@code count} words
     */
    public static boolean longNumbers(
            byte[] text, int[] before, int[] end, int count, long[] out, int at, long[] scratch) {
        return VectorKernels.numbers()
                ? VectorNumbers.longNumbers(text, before, end, count, out, at, scratch)
                : NumberWords.longNumbers(text, before, end, 0, count, out, at, scratch);
    }

    /**
     * Numbers of at most 16 characters with a point before their last {@code scale} characters;
     * only 0 may lack it. Answers whether all fields are such numbers or empty.
     *
     * @param scratch of {@code count} words
     */
    public static boolean longDecimals(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            long[] out,
            int at,
            int scale,
            long[] scratch) {
        return VectorKernels.numbers()
                ? VectorNumbers.longDecimals(text, before, end, count, out, at, scale, scratch)
                : NumberWords.longDecimals(text, before, end, 0, count, out, at, scale, scratch);
    }
}
