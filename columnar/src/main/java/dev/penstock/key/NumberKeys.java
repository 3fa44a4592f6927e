package dev.penstock.key;

import dev.penstock.bytes.ByteAccess;

/**
 * The loops that put numbers into keys of the same length, for {@link KeyCodec}. Each runs in
 * windows of rows, since there are few calls with many rows, and the JVM compiles in full what is
 * called often.
 */
final class NumberKeys {
    private static final int WINDOW = 512;

    private NumberKeys() {}

    /**
     * Puts the lowest {@code width} bytes (1, 2, 4 or 8) of each of the first values, with some
     * bits the other way round, into {@code out}, highest byte first.
     *
     * @param at of the first; the others follow every {@code stride} bytes
     */
    static void put(
            long[] values, int count, long flips, int width, byte[] out, int at, int stride) {
        for (int from = 0; from < count; from += WINDOW) {
            int to = Math.min(count, from + WINDOW);
            int first = at + from * stride;
            switch (width) {
                case Long.BYTES -> putLongs(values, from, to, flips, out, first, stride);
                case Integer.BYTES -> putInts(values, from, to, (int) flips, out, first, stride);
                default -> putBytes(values, from, to, flips, width, out, first, stride);
            }
        }
    }

    private static void putLongs(
            long[] values, int from, int to, long flips, byte[] out, int first, int stride) {
        int at = first;
        for (int row = from; row < to; row++) {
            ByteAccess.putLongBigEndian(out, at, values[row] ^ flips);
            at += stride;
        }
    }

    private static void putInts(
            long[] values, int from, int to, int flips, byte[] out, int first, int stride) {
        int at = first;
        for (int row = from; row < to; row++) {
            ByteAccess.putInt(out, at, Integer.reverseBytes((int) values[row] ^ flips));
            at += stride;
        }
    }

    private static void putBytes(
            long[] values,
            int from,
            int to,
            long flips,
            int width,
            byte[] out,
            int first,
            int stride) {
        int at = first;
        for (int row = from; row < to; row++) {
            long bits = values[row] ^ flips;
            for (int i = width - 1; i >= 0; i--, bits >>= 8) {
                out[at + i] = (byte) bits;
            }
            at += stride;
        }
    }
}
