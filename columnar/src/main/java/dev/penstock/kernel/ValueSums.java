package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * Sums modulo 2^64 of one 64-bit hash per value: numbers that depend on which values there are and
 * how often, not on their order. Sums, not exclusive ors, so that a value that came twice does not
 * cancel out. The hashes are good enough that two different multisets of values agree with
 * probability 2^-64; they are not made to withstand an adversary.
 *
 * <p>The loops over long values are short enough for the JIT to make vectors of them. All loops run
 * over windows of {@link #WINDOW} values, so that they are called, and thus compiled, soon.
 */
public final class ValueSums {
    /** What a NULL adds. */
    public static final long NULL_HASH = 0x5851F42D4C957F2DL;

    private static final long SEED = 0x2545F4914F6CDD1DL;
    private static final long FIRST = 0xFF51AFD7ED558CCDL;
    private static final long SECOND = 0xC4CEB9FE1A85EC53L;
    private static final long ODD_WORD = 0xA0761D6478BD642FL;
    private static final long LENGTH = 0x9E3779B97F4A7C15L;

    /** Values that one call of a loop takes. */
    static final int WINDOW = 512;

    /** Bytes that one multiplication takes. */
    private static final int STEP = 16;

    /** For each length to {@link #STEP} the bits that are in the string, of its first 8 bytes. */
    private static final long[] LOW_MASKS = masks(0);

    /** And of its next 8. */
    private static final long[] HIGH_MASKS = masks(8);

    private static final long[] SINGLE_BYTES = singleBytes();

    private ValueSums() {}

    private static long[] masks(int from) {
        long[] masks = new long[STEP + 1];
        for (int length = 0; length <= STEP; length++) {
            int bytes = Math.clamp(length - from, 0, 8);
            masks[length] = bytes == 0 ? 0 : -1L >>> 64 - 8 * bytes;
        }
        return masks;
    }

    private static long[] singleBytes() {
        long[] hashes = new long[256];
        for (int i = 0; i < 256; i++) {
            hashes[i] = hash(new byte[] {(byte) i}, 0, 1);
        }
        return hashes;
    }

    /** The hash of a long value: the square of a bijection. */
    public static long hash(long value) {
        long bits = value * FIRST;
        bits ^= bits >>> 32;
        return bits * bits;
    }

    /** The hash of the byte string {@code data[from, to)}. */
    public static long hash(byte[] data, int from, int to) {
        int length = to - from;
        if (length > STEP) {
            return length <= 3 * STEP ? ofThreeParts(data, from, to) : ofMore(data, from, to);
        }
        if (from + STEP > data.length) {
            return atEnd(data, from, length);
        }
        long low = ByteAccess.getLong(data, from) & LOW_MASKS[length];
        if (length < 8) {
            return hash(low | (long) length << 56);
        }
        long high = ByteAccess.getLong(data, from + 8) & HIGH_MASKS[length];
        return mix(low ^ SEED + length * LENGTH, high ^ ODD_WORD);
    }

    /** The same where the array has no bytes beyond the string. */
    private static long atEnd(byte[] data, int from, int length) {
        long low = ByteStrings.head(data, from, length);
        if (length < 8) {
            return hash(low | (long) length << 56);
        }
        long high = length > 8 ? ByteStrings.head(data, from + 8, length - 8) : 0;
        return mix(low ^ SEED + length * LENGTH, high ^ ODD_WORD);
    }

    /** Of 17 to 48 bytes: first, middle and last ones, which overlap unless there are 48. */
    private static long ofThreeParts(byte[] data, int from, int to) {
        int length = to - from;
        long first = mix(data, from, SEED + length * LENGTH);
        long middle = mix(data, from + (length - STEP >> 1), FIRST);
        long last = mix(data, to - STEP, SECOND);
        return mix(first ^ middle, last ^ ODD_WORD);
    }

    private static long ofMore(byte[] data, int from, int to) {
        long state = SEED + (to - from) * LENGTH;
        int last = to - STEP;
        for (int at = from; at < last; at += STEP) {
            state = mix(data, at, state);
        }
        return mix(mix(data, last, state), ODD_WORD);
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
        long[] spread = new long[WINDOW];
        int end = from + count;
        for (int at = from; at < end; at += WINDOW) {
            int rows = Math.min(WINDOW, end - at);
            spread(values, at, rows, spread);
            sum += squares(spread, rows);
        }
        return sum;
    }

    /** The first half of {@link #hash(long)}: the whole of it is too long for vectors. */
    private static void spread(long[] values, int from, int count, long[] out) {
        for (int i = 0; i < count; i++) {
            out[i] = values[from + i] * FIRST;
        }
    }

    private static long squares(long[] spread, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long bits = spread[i];
            bits ^= bits >>> 32;
            sum += bits * bits;
        }
        return sum;
    }

    /** The sum of the long values of rows {@code order[from, from + count)}. */
    public static long ofLongs(long[] values, int[] order, int from, int count) {
        long sum = 0;
        int end = from + count;
        for (int at = from; at < end; at += WINDOW) {
            sum += window(values, order, at, Math.min(end, at + WINDOW));
        }
        return sum;
    }

    private static long window(long[] values, int[] order, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += hash(values[order[i]]);
        }
        return sum;
    }

    /**
     * The sum of byte strings [from, from + count), of which string i is {@code data[offsets[i] ..
     * offsets[i + 1])}.
     */
    public static long ofStrings(int[] offsets, byte[] data, int from, int count) {
        long sum = 0;
        int end = from + count;
        for (int at = from; at < end; at += WINDOW) {
            int to = Math.min(end, at + WINDOW);
            sum +=
                    ByteStrings.areSingleBytes(offsets, at, to)
                            ? singleBytes(data, offsets[at], offsets[to])
                            : window(offsets, data, at, to);
        }
        return sum;
    }

    private static long singleBytes(byte[] data, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += SINGLE_BYTES[data[i] & 0xFF];
        }
        return sum;
    }

    private static long window(int[] offsets, byte[] data, int from, int to) {
        long sum = 0;
        int start = offsets[from];
        for (int i = from + 1; i <= to; i++) {
            int end = offsets[i];
            sum += hash(data, start, end);
            start = end;
        }
        return sum;
    }

    /** The sum of the byte strings of rows {@code order[from, from + count)}. */
    public static long ofStrings(int[] offsets, byte[] data, int[] order, int from, int count) {
        long sum = 0;
        int end = from + count;
        for (int at = from; at < end; at += WINDOW) {
            sum += window(offsets, data, order, at, Math.min(end, at + WINDOW));
        }
        return sum;
    }

    private static long window(int[] offsets, byte[] data, int[] order, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
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
        for (int at = 0; at < count; at += WINDOW) {
            countWindow(codes, at, Math.min(count, at + WINDOW), counts);
        }
    }

    private static void countWindow(int[] codes, int from, int to, int[] counts) {
        for (int i = from; i < to; i++) {
            counts[codes[i]]++;
        }
    }

    /**
     * Makes starts of lengths: {@code lengths[0]} becomes {@code start}, and each further number
     * the one before it and itself together.
     *
     * @param count lengths, from {@code lengths[1]} on
     */
    public static void startsOfLengths(int[] lengths, int start, int count) {
        lengths[0] = start;
        for (int at = 1; at <= count; at += WINDOW) {
            startsOfWindow(lengths, at, Math.min(count + 1, at + WINDOW));
        }
    }

    private static void startsOfWindow(int[] lengths, int from, int to) {
        int position = lengths[from - 1];
        for (int i = from; i < to; i++) {
            position += lengths[i];
            lengths[i] = position;
        }
    }
}
