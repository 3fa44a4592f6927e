package dev.penstock.kernel;

/**
 * Hexadecimal digits of either case, eight at a time: characters of a word, the first one in its
 * lowest byte, without a branch.
 */
public final class HexDigits {
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private HexDigits() {}

    /** Not 0 if some characters are no digits. */
    public static long faults(long characters) {
        long decimal = (characters ^ '0' * ONES) & ~HIGH_BITS;
        long letter = ((characters | 0x20 * ONES) ^ 0x60 * ONES) & ~HIGH_BITS;
        // Sums of two bytes below 128 do not reach the next byte.
        long noDecimal = decimal + (0x80 - 10) * ONES;
        long noLetter = letter + (0x80 - 7) * ONES | ~(letter + 0x7F * ONES);
        return (noDecimal & noLetter | characters) & HIGH_BITS;
    }

    /** The four bytes that eight digits write, as a little-endian number. */
    public static int bytes(long digits) {
        long values = (digits & 0x0F * ONES) + 9 * (digits >>> 6 & ONES);
        long pairs = (values << 4 | values >>> 8) & 0x00FF_00FF_00FF_00FFL;
        long quads = (pairs | pairs >>> 8) & 0x0000_FFFF_0000_FFFFL;
        return (int) (quads | quads >>> 16);
    }
}
