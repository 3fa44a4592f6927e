package dev.penstock.loader.pipeline;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;

/**
 * Estimated bytes of one column of a fragment in each form it may travel in, but for the bits that
 * say which rows are NULL: those are the same in all, and NULLs take nothing else.
 *
 * @param plain natural width, or lengths and bytes
 * @param packed frame of reference for numbers, though scaled ones may be smaller still; for byte
 *     strings tokens, or as {@code plain}
 * @param dictionary codes and the values they stand for; {@link Long#MAX_VALUE} if there are too
 *     many
 */
record ColumnSizes(long plain, long packed, long dictionary) {
    /** Most entries of a dictionary; the same limit holds at the encoder and at the merge. */
    static final int MAX_DICTIONARY_ENTRIES = 4096;

    /** What a block of packed numbers or of byte strings has before its values, about. */
    private static final int HEADER_BYTES = 9;

    /** Bytes of tokens for one of text, at most: a column has no token table otherwise. */
    private static final double TOKEN_SHARE = 0.6;

    /**
     * @param plainBytes natural width of the column's type
     * @param distinct estimated distinct values
     */
    static ColumnSizes ofLongs(LongColumn column, int from, int to, int plainBytes, long distinct) {
        Validity validity = column.validity();
        long[] slots = column.values();
        long values = 0;
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int row = from; row < to; row++) {
            if (validity.isValid(row)) {
                values++;
                min = Math.min(min, slots[row]);
                max = Math.max(max, slots[row]);
            }
        }
        int bits = values == 0 ? 0 : 64 - Long.numberOfLeadingZeros(max - min);
        long packed = (values * bits + 7) / 8 + HEADER_BYTES;
        // Without a value all forms are the same, and a dictionary spares the server a look.
        long plain = Math.max(HEADER_BYTES, values * plainBytes);
        return new ColumnSizes(plain, packed, dictionary(values, distinct, plainBytes));
    }

    /**
     * @param tokens whether the column has a token table
     */
    static ColumnSizes ofBytes(
            BytesColumn column, int from, int to, long distinct, boolean tokens) {
        Validity validity = column.validity();
        int[] offsets = column.offsets();
        long values = 0;
        long bytes = 0;
        int longest = 0;
        for (int row = from; row < to; row++) {
            if (validity.isValid(row)) {
                int length = offsets[row + 1] - offsets[row];
                values++;
                bytes += length;
                longest = Math.max(longest, length);
            }
        }
        long lengths = (values * bitsFor(longest + 1L) + 7) / 8;
        long content = bytes + lengths;
        double meanBytes = values == 0 ? 0 : (double) content / values;
        long packed = tokens ? Math.round(content * TOKEN_SHARE) : content;
        return new ColumnSizes(
                content + HEADER_BYTES,
                packed + HEADER_BYTES,
                dictionary(values, distinct, meanBytes));
    }

    private static long dictionary(long values, long distinct, double valueBytes) {
        if (distinct > MAX_DICTIONARY_ENTRIES) {
            return Long.MAX_VALUE;
        }
        return (values * bitsFor(distinct) + 7) / 8
                + Math.round(distinct * valueBytes)
                + HEADER_BYTES;
    }

    /** Bits of a code among {@code count} values. */
    private static int bitsFor(long count) {
        return count <= 1 ? 0 : 64 - Long.numberOfLeadingZeros(count - 1);
    }
}
