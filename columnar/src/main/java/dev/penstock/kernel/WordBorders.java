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

    /** Elements that {@link #find} may overwrite after the words it reports. */
    public static final int SLACK = ScalarScan.STRETCH;

    private WordBorders() {}

    /**
     * Sets bit i of {@code borders} exactly if a word ends before byte {@code from + i} of {@code
     * data}, for i in [0, length); bit 0 is never set, and bit {@code length} and those behind it
     * in its word are cleared. {@code borders} needs {@link #SLACK} spare elements after that word.
     */
    public static void find(byte[] data, int from, int length, long[] borders) {
        int whole = length >> 6;
        int marks = whole + 1;
        long carry = 0;
        for (int word = 0; word < whole; word += ScalarScan.STRETCH >> 3) {
            int blocks = Math.min(ScalarScan.STRETCH >> 3, whole - word);
            letters(data, from + (word << 6), blocks << 3, borders, marks);
            ScalarScan.gatherBits(borders, marks, marks + (blocks << 3));
            ScalarScan.join(borders, marks, blocks, word);
            carry = bordersOf(borders, word, word + blocks, carry);
        }
        borders[whole] = ~lettersOfEnd(data, from + (whole << 6), length & 63);
        bordersOf(borders, whole, marks, carry);
    }

    /** Makes borders of gaps; returns whether the last byte is one. */
    private static long bordersOf(long[] gaps, int from, int to, long before) {
        long carry = before;
        for (int i = from; i < to; i++) {
            long word = gaps[i];
            gaps[i] = (word << 1 | carry) & ~word;
            carry = word >>> 63;
        }
        return carry;
    }

    private static long lettersOfEnd(byte[] data, int at, int count) {
        long bits = 0;
        int i = 0;
        for (; i + 8 <= count; i += 8) {
            bits |= bits(letters(ByteAccess.getLong(data, at + i))) << i;
        }
        if (i < count) {
            bits |= bits(letters(ByteStrings.head(data, at + i, count - i))) << i;
        }
        return bits;
    }

    private static long bits(long letters) {
        return ((letters & HIGH) >>> 7) * ScalarScan.GATHER_BITS >>> 56;
    }

    /** Without a branch, so that the JVM makes vectors of it. */
    private static void letters(byte[] data, int from, int words, long[] out, int at) {
        for (int i = 0; i < words; i++) {
            out[at + i] = letters(ByteAccess.getLong(data, from + 8 * i));
        }
    }

    /** Whether a byte is none of those that end a word. */
    public static boolean isLetter(byte letter) {
        return (letters(letter & 0xFFL) & 0x80) != 0;
    }

    /** The high bit of each byte that is a letter, a digit or beyond ASCII; others mean nothing. */
    private static long letters(long word) {
        long low = word & LOW7;
        long lower = low | LOWER_CASE;
        long digit = low + FROM_0 & ~(low + BEYOND_9);
        long letter = lower + FROM_A & ~(lower + BEYOND_Z);
        return digit | letter | word;
    }
}
