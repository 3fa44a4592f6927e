package dev.penstock.segment;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.Decimals;
import dev.penstock.kernel.Multiples;

/**
 * How the packed numbers of a MULTIPLES or DECIMALS block become values. Their order is that of the
 * values. A scale is two bytes: of MULTIPLES the powers of two and of five by whose product a
 * number is multiplied; of DECIMALS the power of ten by which one is divided, and whether the
 * quotient is rounded to a float.
 */
final class Scale {
    /** Bytes of a block before its packed distances: scale, smallest number, bits. */
    static final int HEADER_BYTES = 11;

    /** Where the smallest number is among them. */
    static final int BASE_AT = 2;

    /** Where the bits are among them. */
    static final int BITS_AT = 10;

    /** Most bits of a packed distance of multiples; more would not be worth it. */
    private static final int MAX_BITS = 62;

    private static final int REAL = 1;

    private Scale() {}

    /** Whether a block's packed numbers have a scale. */
    static boolean isScaled(byte encoding) {
        return encoding == SegmentFormat.BLOCK_MULTIPLES
                || encoding == SegmentFormat.BLOCK_DECIMALS;
    }

    /** The scale of decimals. */
    static int ofDecimals(int places, boolean real) {
        return places | (real ? REAL << 8 : 0);
    }

    /** The scale at the beginning of a header. */
    static int at(byte[] bytes, int position) {
        return ByteAccess.getShort(bytes, position) & 0xFFFF;
    }

    /** Whether an encoder may have written the scale. */
    static boolean isPossible(byte encoding, int scale) {
        int low = scale & 0xFF;
        int high = scale >> 8;
        return encoding == SegmentFormat.BLOCK_DECIMALS
                ? low <= Decimals.MAX_PLACES && high <= REAL
                : Multiples.isDivisor(scale);
    }

    /** Most bits of a packed distance. */
    static int maxBits(byte encoding) {
        return encoding == SegmentFormat.BLOCK_DECIMALS ? Decimals.MAX_RANGE_BITS : MAX_BITS;
    }

    /** The value that a number stands for. */
    static long value(byte encoding, int scale, long number) {
        return encoding == SegmentFormat.BLOCK_DECIMALS
                ? Decimals.value(number, scale & 0xFF, scale >> 8 == REAL)
                : number * Multiples.divisor(scale);
    }

    /**
     * The least distance from {@code base}, of those of so many bits, whose value is not below
     * another one; {@code 1 << bits} if there is none.
     */
    static long firstAtLeast(byte encoding, int scale, long base, int bits, long value) {
        long low = 0;
        long high = 1L << bits;
        if (encoding == SegmentFormat.BLOCK_MULTIPLES) {
            // Not by values: those of distances that no row has may be too large for a long.
            long distance = Math.ceilDiv(value, Multiples.divisor(scale)) - base;
            return Math.clamp(distance, low, high);
        }
        while (low < high) {
            long middle = low + (high - low >> 1);
            if (value(encoding, scale, base + middle) < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Replaces numbers by values. */
    static void values(byte encoding, int scale, long[] numbers, int from, int count) {
        if (encoding == SegmentFormat.BLOCK_DECIMALS) {
            Decimals.unscale(numbers, from, count, scale & 0xFF, scale >> 8 == REAL);
            return;
        }
        long divisor = Multiples.divisor(scale);
        for (int i = from; i < from + count; i++) {
            numbers[i] *= divisor;
        }
    }
}
