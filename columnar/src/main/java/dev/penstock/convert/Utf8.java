package dev.penstock.convert;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.TextWords;

/** Well-formed UTF-8 after table 3-7 of the Unicode standard. */
final class Utf8 {
    private static final long HIGH_BITS = 0x8080808080808080L;

    private static final int BLOCK = TextWords.BLOCK;

    private Utf8() {}

    /** Position of the first byte that is not part of a character, or -1 if all are. */
    static int firstInvalid(byte[] bytes, int from, int to) {
        int i = from;
        while (i >= 0 && i <= to - BLOCK) {
            i += BLOCK * TextWords.asciiBlocks(bytes, i, to);
            if (i <= to - BLOCK) {
                i = afterBlock(bytes, i, to);
            }
        }
        int end = i < 0 ? i : afterCharacters(bytes, i, to, to);
        return end < 0 ? ~end : -1;
    }

    /** As {@link #afterCharacters} for the next block. */
    private static int afterBlock(byte[] bytes, int from, int to) {
        int end = from + BLOCK;
        return TextWords.isShortCharacters(bytes, from)
                ? isLeading(bytes[end - 1]) ? end - 1 : end
                : afterCharacters(bytes, from, end, to);
    }

    private static boolean isLeading(byte b) {
        return (b & 0xC0) == 0xC0;
    }

    /**
     * The position after the last character that begins in {@code bytes[from, end)}, or, flipped,
     * that of the first byte that is not part of one.
     */
    private static int afterCharacters(byte[] bytes, int from, int end, int to) {
        int i = from;
        while (i < end) {
            if (i <= to - 8) {
                long high = ByteAccess.getLong(bytes, i) & HIGH_BITS;
                i += Long.numberOfTrailingZeros(high) >>> 3;
                if (high == 0 || i >= end) {
                    continue;
                }
            }
            int length = characterBytes(bytes, i, to);
            if (length == 0) {
                return ~i;
            }
            i += length;
        }
        return i;
    }

    /** Bytes of the character at {@code i}, or 0 if there is none. */
    private static int characterBytes(byte[] bytes, int i, int to) {
        int first = bytes[i] & 0xFF;
        if (first < 0x80) {
            return 1;
        }
        int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (length == 0 || i + length > to) {
            return 0;
        }
        int second = bytes[i + 1] & 0xFF;
        int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (second < low || second > high) {
            return 0;
        }
        for (int k = 2; k < length; k++) {
            if (!isContinuation(bytes[i + k])) {
                return 0;
            }
        }
        return length;
    }

    static boolean isContinuation(byte b) {
        return (b & 0xC0) == 0x80;
    }

    /** Characters (code points) of well-formed text. */
    static int characters(byte[] bytes, int from, int to) {
        int count = 0;
        for (int i = from; i < to; i++) {
            count += isContinuation(bytes[i]) ? 0 : 1;
        }
        return count;
    }
}
