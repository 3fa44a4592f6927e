package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * Columns of short numbers and dates in two passes. The first brings the digits of each value into
 * one word, its last character in the highest byte, '0' taken off and unused bytes 0: all that
 * differs in place and length. The second does the same arithmetic on every word, so that vectors
 * can. Nothing in it branches: what is wrong gathers in one word of faults.
 *
 * <p>Vector and scalar forms as in {@link ScanKernels}. Eight bytes after each start, ten for
 * dates, must be readable.
 */
public final class DigitKernels {
    /** Most characters of a number that fits a word. */
    public static final int WORD_CHARACTERS = 8;

    /** Characters of a date, {@code yyyy-mm-dd}. */
    public static final int DATE_CHARACTERS = 10;

    private static final long ZEROS = 0x3030303030303030L;
    private static final long DATE_DASHES = 0x2D00002D00000000L;
    private static final long DASH_BYTES = 0xFF0000FF00000000L;

    private DigitKernels() {}

    /**
     * The words of fields of at most 8 characters; longer ones get the word 0, as empty ones do.
     * Field i is {@code text[bounds[k] + 1, bounds[k + 1])} with k = first + i * stride.
     *
     * @param longer where the indexes of longer fields are put
     * @return how many those are; one's complement of it if there are empty fields
     */
    public static int words(
            byte[] text,
            int[] bounds,
            int first,
            int stride,
            int count,
            long[] words,
            int at,
            int[] longer) {
        int longCount = 0;
        int empty = 0;
        int k = first;
        for (int i = 0; i < count; i++) {
            int start = bounds[k] + 1;
            int length = bounds[k + 1] - start;
            k += stride;
            empty |= length - 1;
            if (length > WORD_CHARACTERS) {
                longer[longCount++] = i;
                length = 0;
            }
            int shift = 32 - 4 * length;
            words[at + i] = ((ByteAccess.getLong(text, start) ^ ZEROS) << shift) << shift;
        }
        return empty < 0 ? ~longCount : longCount;
    }

    /** Replaces words of digits by their numbers; not 0 if some are not digits. */
    public static long numbers(long[] words, int at, int count) {
        return KernelSelection.vector()
                ? VectorDigits.numbers(words, at, count)
                : ScalarDigits.numbers(words, at, count);
    }

    /**
     * Takes the point out of words that have it before their last {@code scale} (1..6) characters,
     * and multiplies the numbers of those without it by {@code unit}, 10 to the power of the scale.
     */
    public static long decimals(long[] words, int at, int count, int scale, long unit) {
        return KernelSelection.vector()
                ? VectorDigits.decimals(words, at, count, scale, unit)
                : ScalarDigits.decimals(words, at, count, scale, unit);
    }

    /** The eight digits of dates; not 0 if a field is no ten characters with dashes in place. */
    public static long dateWords(
            byte[] text, int[] bounds, int first, int stride, int count, long[] words, int at) {
        long faults = 0;
        int k = first;
        for (int i = 0; i < count; i++) {
            int start = bounds[k] + 1;
            int length = bounds[k + 1] - start;
            k += stride;
            long head = ByteAccess.getLong(text, start);
            long day = ByteAccess.getShort(text, start + 8);
            faults |= (head ^ DATE_DASHES) & DASH_BYTES | (length ^ DATE_CHARACTERS);
            long digits =
                    (head & 0x00000000FFFFFFFFL) | (head >>> 8 & 0x0000FFFF00000000L) | day << 48;
            words[at + i] = digits ^ ZEROS;
        }
        return faults;
    }

    /**
     * Replaces words of yyyymmdd by days since 1970-01-01; not 0 if some are no dates of the years
     * 0001 to 9999.
     */
    public static long days(long[] words, int at, int count) {
        return KernelSelection.vector()
                ? VectorDigits.days(words, at, count)
                : ScalarDigits.days(words, at, count);
    }
}
