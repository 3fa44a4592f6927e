package dev.penstock.segment;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.Decimals;
import dev.penstock.kernel.Multiples;
import dev.penstock.schema.ColumnType;

/**
 * How the packed numbers of a MULTIPLES or DECIMALS block become values. Their order is that of the
 * values. A scale is two bytes: of MULTIPLES the exponents of two and of five by whose powers a
 * number is multiplied; of DECIMALS the exponent of ten by whose power one is divided, and whether
 * the quotient is rounded to a float.
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

    /** Whether an encoder may have written the scale with this smallest number. */
    static boolean isPossible(byte encoding, int scale, long base) {
        if (encoding == SegmentFormat.BLOCK_DECIMALS) {
            return (scale & 0xFF) <= Decimals.MAX_PLACES
                    && scale >> 8 <= REAL
                    && Decimals.isWhole(base, isReal(scale));
        }
        return Multiples.isDivisor(scale)
                && base >= Long.MIN_VALUE / Multiples.divisor(scale)
                && base <= Long.MAX_VALUE / Multiples.divisor(scale);
    }

    /** Whether the scale makes values of a type of numbers. */
    static boolean fits(byte encoding, int scale, ColumnType type) {
        return encoding == SegmentFormat.BLOCK_MULTIPLES
                || isReal(scale) == type instanceof ColumnType.RealType;
    }

    private static boolean isReal(int scale) {
        return scale >> 8 == REAL;
    }

    /** Most bits of a packed distance. */
    static int maxBits(byte encoding) {
        return encoding == SegmentFormat.BLOCK_DECIMALS ? Decimals.MAX_RANGE_BITS : MAX_BITS;
    }

    /** The value that a number stands for. */
    static long value(byte encoding, int scale, long number) {
        return encoding == SegmentFormat.BLOCK_DECIMALS
                ? Decimals.value(number, scale & 0xFF, isReal(scale))
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
            long number = Math.ceilDiv(value, Multiples.divisor(scale));
            return number <= base ? 0 : number > base + high ? high : number - base;
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
            Decimals.unscale(numbers, from, count, scale & 0xFF, isReal(scale));
            return;
        }
        long divisor = Multiples.divisor(scale);
        for (int i = from; i < from + count; i++) {
            numbers[i] *= divisor;
        }
    }
}
