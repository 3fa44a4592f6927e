package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** Characters of UTF-8 in words of eight bytes, in either form of kernels. */
public final class TextWords {
    /** Bytes of a block. */
    public static final int BLOCK = 64;

    private static final long HIGH_BITS = 0x8080808080808080L;

    /** The bits of a first byte that are not all 0 unless it begins a character too long. */
    private static final long LEADING = 0x1E1E1E1E1E1E1E1EL;

    private static final long TO_HIGH_BIT = 0x7E7E7E7E7E7E7E7EL;

    private TextWords() {}

    /** The number of blocks of ASCII characters from {@code from} on, all within {@code to}. */
    public static int asciiBlocks(byte[] text, int from, int to) {
        int i = from;
        while (i <= to - BLOCK) {
            long bits =
                    ByteAccess.getLong(text, i)
                            | ByteAccess.getLong(text, i + 8)
                            | ByteAccess.getLong(text, i + 16)
                            | ByteAccess.getLong(text, i + 24)
                            | ByteAccess.getLong(text, i + 32)
                            | ByteAccess.getLong(text, i + 40)
                            | ByteAccess.getLong(text, i + 48)
                            | ByteAccess.getLong(text, i + 56);
            if ((bits & HIGH_BITS) != 0) {
                break;
            }
            i += BLOCK;
        }
        return (i - from) / BLOCK;
    }

    /**
     * Whether a block holds UTF-8 characters of at most two bytes, the first of which begins with
     * it; the last may end after it.
     */
    public static boolean isShortCharacters(byte[] text, int from) {
        long faults = 0;
        long expected = 0;
        for (int i = 0; i < BLOCK; i += 8) {
            long word = ByteAccess.getLong(text, from + i);
            // In the high bits: bytes that begin characters, and those that go on with them.
            long first = word & word << 1 & HIGH_BITS;
            long next = word & ~(word << 1) & HIGH_BITS;
            faults |= next ^ (first << 8 | expected);
            faults |= first & (word << 2 | ~((word & LEADING) + TO_HIGH_BIT));
            expected = first >>> 56;
        }
        return faults == 0;
    }
}
