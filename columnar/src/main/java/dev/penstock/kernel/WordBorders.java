package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * Finds where words end in text: before every letter or digit that follows something else. So a
 * word keeps the spaces and punctuation behind it: {@code "http://"}, {@code "www."}, {@code "and
 * "}. Bytes from 128 on count as letters, so that no character of UTF-8 is cut.
 */
public final class WordBorders {
    private static final long HIGH = 0x8080808080808080L;
    private static final long LOW7 = ~HIGH;
    private static final long ONES = 0x0101010101010101L;
    private static final long FROM_0 = ONES * (0x80 - '0');
    private static final long BEYOND_9 = ONES * (0x7F - '9');
    private static final long FROM_A = ONES * (0x80 - 'a');
    private static final long BEYOND_Z = ONES * (0x7F - 'z');
    private static final long LOWER_CASE = ONES * 0x20;

    /** Multiplying the lowest bits of eight bytes by this collects them in the topmost byte. */
    private static final long COLLECT = 0x0102040810204080L;

    private WordBorders() {}

    /**
     * Sets bit i of {@code borders} exactly if a word ends before byte {@code from + i} of {@code
     * data}, for i in [0, length); bit 0 is never set, and the bits up to the next multiple of 64
     * are cleared.
     */
    public static void find(byte[] data, int from, int length, long[] borders) {
        long carry = 0;
        int words = (length + 63) >> 6;
        for (int word = 0; word < words; word++) {
            int at = from + (word << 6);
            int count = Math.min(64, length - (word << 6));
            long gaps =
                    count == 64
                            ? ~(letters(data, at)
                                    | letters(data, at + 8) << 8
                                    | letters(data, at + 16) << 16
                                    | letters(data, at + 24) << 24
                                    | letters(data, at + 32) << 32
                                    | letters(data, at + 40) << 40
                                    | letters(data, at + 48) << 48
                                    | letters(data, at + 56) << 56)
                            : ~lettersOfEnd(data, at, count);
            borders[word] = (gaps << 1 | carry) & ~gaps;
            carry = gaps >>> 63;
        }
    }

    private static long lettersOfEnd(byte[] data, int at, int count) {
        long bits = 0;
        int i = 0;
        for (; i + 8 <= count; i += 8) {
            bits |= letters(data, at + i) << i;
        }
        if (i < count) {
            bits |= letters(ByteStrings.head(data, at + i, count - i)) << i;
        }
        return bits;
    }

    private static long letters(byte[] data, int at) {
        return letters(ByteAccess.getLong(data, at));
    }

    /** Bit i is set if byte i of the word is a letter, a digit or beyond ASCII. */
    private static long letters(long word) {
        long low = word & LOW7;
        long lower = low | LOWER_CASE;
        long digit = low + FROM_0 & ~(low + BEYOND_9);
        long letter = lower + FROM_A & ~(lower + BEYOND_Z);
        return (((digit | letter | word) & HIGH) >>> 7) * COLLECT >>> 56;
    }
}
