package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** Byte strings as words. */
public final class ByteStrings {
    private ByteStrings() {}

    /** The first (at most) eight bytes as a little-endian word, 0 where there are fewer. */
    public static long head(byte[] data, int start, int length) {
        if (start + 8 <= data.length) {
            long word = ByteAccess.getLong(data, start);
            return length >= 8 ? word : word & ~(-1L << (8 * length));
        }
        long word = 0;
        for (int i = Math.min(length, 8) - 1; i >= 0; i--) {
            word = word << 8 | (data[start + i] & 0xFF);
        }
        return word;
    }

    /**
     * The first eight bytes as a number whose signed order is the unsigned order of the bytes, as
     * far as eight bytes tell.
     */
    public static long orderedHead(byte[] data, int start, int length) {
        return Long.reverseBytes(head(data, start, length)) ^ Long.MIN_VALUE;
    }

    /**
     * Copies a string. Both arrays have 64 bytes of slack after it unless it is at their end, where
     * the exact form is used; bytes after the copy are overwritten.
     */
    public static void copy(byte[] source, int from, byte[] target, int to, int length) {
        if (length <= 64 && from + 64 <= source.length && to + 64 <= target.length) {
            for (int i = 0; i < length; i += 8) {
                ByteAccess.putLong(target, to + i, ByteAccess.getLong(source, from + i));
            }
        } else {
            System.arraycopy(source, from, target, to, length);
        }
    }
}
