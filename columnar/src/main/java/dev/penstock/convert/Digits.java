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

    private static final long[] POWERS = new long[19];

    static {
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
