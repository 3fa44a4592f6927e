package dev.penstock.convert;

import dev.penstock.bytes.ByteAccess;

/**
 * Decimal digits, eight at a time in one {@code long}.
 *
 * <p>A word of digits holds the first digit in the lowest byte of those used and the last digit in
 * the highest byte; unused bytes below are 0. (The multiply-and-shift of Lemire's "Quickly parsing
 * eight digits".)
 */
final class Digits {
    private static final long ZEROS = 0x3030303030303030L;
    private static final long HIGH_NIBBLES = 0xF0F0F0F0F0F0F0F0L;
    private static final long SIXES = 0x0606060606060606L;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long POINTS = ONES * ('.' ^ '0');

    private static final long[] POWERS = new long[19];

    /** By the byte that the point is in: the bits of the characters before it and after it. */
    private static final long[] BEFORE = new long[9];

    private static final long[] AFTER = new long[9];

    static {
        for (int place = 0; place < 8; place++) {
            BEFORE[place] = (1L << 8 * place) - 1;
            AFTER[place] = place == 7 ? 0 : -1L << 8 * place + 8;
        }
        AFTER[8] = -1;
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = 10 * POWERS[i - 1];
        }
    }

    private Digits() {}

    /** 10 to the power of 0 to 18. */
    static long power(int exponent) {
        return POWERS[exponent];
    }

    /** The word of {@code count} (0..8) characters; reads 8 bytes. */
    static long word(byte[] text, int from, int count) {
        int shift = 32 - 4 * count;
        return ((ByteAccess.getLong(text, from) ^ ZEROS) << shift) << shift;
    }

    /** The word of {@code count} (1..8) characters before {@code to}; reads 8 bytes before it. */
    static long lastWord(byte[] text, int to, int count) {
        return (ByteAccess.getLong(text, to - 8) ^ ZEROS) & -1L << 64 - 8 * count;
    }

    /** The byte of a word in which its first point is; 8 if there is none. */
    static int pointPlace(long word) {
        long others = word ^ POINTS;
        return Long.numberOfTrailingZeros(others - ONES & ~others & HIGH_BITS) >>> 3;
    }

    /** A word without its point, which is in a byte; with all characters if that is 8. */
    static long withoutPoint(long word, int place) {
        return (word & BEFORE[place]) << 8 | word & AFTER[place];
    }

    /** 0 if all bytes of a word are digits. */
    static long faults(long word) {
        return (word | (word + SIXES)) & HIGH_NIBBLES;
    }

    /** The number that a word of digits stands for. */
    static long value(long word) {
        long pairs = (word * 10 + (word >>> 8)) & 0x00FF00FF00FF00FFL;
        long high = (pairs & 0x000000FF000000FFL) * 0x000F424000000064L;
        long low = ((pairs >>> 16) & 0x000000FF000000FFL) * 0x0000271000000001L;
        return (high + low) >>> 32 & 0xFFFFFFFFL;
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Digits from {@code from} on. */
    static int run(byte[] text, int from, int to) {
        int at = from;
        while (at < to && isDigit(text[at])) {
            at++;
        }
        return at - from;
    }

    /** The number of {@code count} (0..18) digits, read one by one. */
    static long number(byte[] text, int from, int count) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value = 10 * value + (text[from + i] - '0');
        }
        return value;
    }
}
