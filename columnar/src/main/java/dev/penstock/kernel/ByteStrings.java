package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** Byte strings as words. */
public final class ByteStrings {
    /**
     * Rows for which a loop is called once. The JVM compiles in full what is called often, and a
     * loop over a whole block is not.
     */
    private static final int WINDOW = 128;

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
     * The bits of the first bytes of a little-endian word: of so many, none if the count is
     * negative, and all from 8 on.
     */
    public static long mask(int count) {
        int bytes = Math.clamp(count, 0, 8);
        return bytes == 0 ? 0 : -1L >>> 64 - 8 * bytes;
    }

    /**
     * The first eight bytes as a number whose signed order is the unsigned order of the bytes, as
     * far as eight bytes tell.
     */
    public static long orderedHead(byte[] data, int start, int length) {
        return Long.reverseBytes(head(data, start, length)) ^ Long.MIN_VALUE;
    }

    /**
     * Appends the strings {@code order[from .. from + count)} of a column to another, after row
     * {@code to}. The target has room for all bytes and 64 more, which may be overwritten.
     */
    public static void gather(
            int[] offsets,
            byte[] data,
            int[] order,
            int from,
            int count,
            int[] outOffsets,
            byte[] outData,
            int to) {
        if (VectorKernels.pack(count)) {
            VectorStrings.gather(offsets, data, order, from, count, outOffsets, outData, to);
            return;
        }
        for (int done = 0; done < count; done += WINDOW) {
            int rows = Math.min(WINDOW, count - done);
            gatherScalar(offsets, data, order, from + done, rows, outOffsets, outData, to + done);
        }
    }

    static void gatherScalar(
            int[] offsets,
            byte[] data,
            int[] order,
            int from,
            int count,
            int[] outOffsets,
            byte[] outData,
            int to) {
        int position = outOffsets[to];
        int lastStart = data.length - 32;
        for (int i = 0; i < count; i++) {
            int row = order[from + i];
            int start = offsets[row];
            int length = offsets[row + 1] - start;
            if (length <= 32 && start <= lastStart) {
                ByteAccess.putLong(outData, position, ByteAccess.getLong(data, start));
                ByteAccess.putLong(outData, position + 8, ByteAccess.getLong(data, start + 8));
                ByteAccess.putLong(outData, position + 16, ByteAccess.getLong(data, start + 16));
                ByteAccess.putLong(outData, position + 24, ByteAccess.getLong(data, start + 24));
            } else {
                System.arraycopy(data, start, outData, position, length);
            }
            position += length;
            outOffsets[to + i + 1] = position;
        }
    }

    /** Whether each of the strings [from, to) has one byte. */
    public static boolean areSingleBytes(int[] offsets, int from, int to) {
        int start = offsets[from] - from;
        if (offsets[to] - to != start) {
            return false;
        }
        int different = 0;
        for (int row = from; row < to; row++) {
            different |= offsets[row] - row - start;
        }
        return different == 0;
    }

    /** As {@link #gather} if {@link #areSingleBytes}. */
    public static void gatherSingleBytes(
            byte[] data, int[] order, int from, int count, int[] outOffsets, byte[] out, int to) {
        int start = outOffsets[to];
        for (int i = 0; i < count; i++) {
            out[start + i] = data[order[from + i]];
        }
        for (int i = 0; i < count; i++) {
            outOffsets[to + i + 1] = start + i + 1;
        }
    }
}
