package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * Sums modulo 2^64 of one 64-bit hash per value: numbers that depend on which values there are and
 * how often, not on their order. Sums, not exclusive ors, so that a value that came twice does not
 * cancel out. The hashes are good enough that two different multisets of values agree with
 * probability 2^-64; they are not made to withstand an adversary.
 *
 * <p>The loops over long values are written so that the JIT makes vectors of them.
 */
public final class ValueSums {
    /** What a NULL adds. */
    public static final long NULL_HASH = 0x5851F42D4C957F2DL;

    private static final long SEED = 0x2545F4914F6CDD1DL;
    private static final long FIRST = 0xFF51AFD7ED558CCDL;
    private static final long SECOND = 0xC4CEB9FE1A85EC53L;
    private static final long ODD_WORD = 0xA0761D6478BD642FL;
    private static final long LENGTH = 0x9E3779B97F4A7C15L;

    /** Bytes that one multiplication takes. */
    private static final int STEP = 16;

    private static final long[] SINGLE_BYTES = singleBytes();

    private ValueSums() {}

    private static long[] singleBytes() {
        long[] hashes = new long[256];
        for (int i = 0; i < 256; i++) {
            hashes[i] = hash(new byte[] {(byte) i}, 0, 1);
        }
        return hashes;
    }

    /** The hash of a long value: two multiplications, which every bit of it passes. */
    public static long hash(long value) {
        long bits = (value ^ SEED) * FIRST;
        bits = (bits ^ bits >>> 32) * SECOND;
        return bits ^ bits >>> 32;
    }

    /** The hash of the byte string {@code data[from, to)}. */
    public static long hash(byte[] data, int from, int to) {
        int length = to - from;
        long state = SEED + length * LENGTH;
        if (length > STEP) {
            int last = to - STEP;
            for (int at = from; at < last; at += STEP) {
                state = mix(data, at, state);
            }
            state = mix(data, last, state);
        } else if (length >= 8) {
            long tail = ByteAccess.getLong(data, to - 8);
            state = mix(ByteAccess.getLong(data, from) ^ state, tail ^ ODD_WORD);
        } else {
            state = mix(ByteStrings.head(data, from, length) ^ state, ODD_WORD);
        }
        state *= SECOND;
        return state ^ state >>> 32;
    }

    private static long mix(byte[] data, int at, long state) {
        return mix(
                ByteAccess.getLong(data, at) ^ state, ByteAccess.getLong(data, at + 8) ^ ODD_WORD);
    }

    /** Both halves of the 128-bit product. */
    private static long mix(long left, long right) {
        return left * right ^ Math.unsignedMultiplyHigh(left, right);
    }

    /** The sum of long values [from, from + count). */
    public static long ofLongs(long[] values, int from, int count) {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += hash(values[i]);
        }
        return sum;
    }

    /** The sum of the long values of rows {@code order[from, from + count)}. */
    public static long ofLongs(long[] values, int[] order, int from, int count) {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += hash(values[order[i]]);
        }
        return sum;
    }

    /**
     * The sum of byte strings [from, from + count), string i being {@code [offsets[i], offsets[i +
     * 1])}.
     */
    public static long ofStrings(int[] offsets, byte[] data, int from, int count) {
        int start = offsets[from];
        long sum = 0;
        if (ByteStrings.areSingleBytes(offsets, from, from + count)) {
            for (int i = 0; i < count; i++) {
                sum += SINGLE_BYTES[data[start + i] & 0xFF];
            }
            return sum;
        }
        for (int i = from + 1; i <= from + count; i++) {
            int end = offsets[i];
            sum += hash(data, start, end);
            start = end;
        }
        return sum;
    }

    /** The sum of the byte strings of rows {@code order[from, from + count)}. */
    public static long ofStrings(int[] offsets, byte[] data, int[] order, int from, int count) {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            int row = order[i];
            sum += hash(data, offsets[row], offsets[row + 1]);
        }
        return sum;
    }

    /**
     * Counts how often each code occurs in {@code codes[0, count)}.
     *
     * @param counts what is added to; longer than the greatest code
     */
    public static void countCodes(int[] codes, int count, int[] counts) {
        for (int i = 0; i < count; i++) {
            counts[codes[i]]++;
        }
    }
}
