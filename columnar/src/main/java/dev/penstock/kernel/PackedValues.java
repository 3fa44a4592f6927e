package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

import java.util.Arrays;

/**
 * Answers about packed values ({@link BitPacking}) that need no array of them: sums, and which of
 * them lie in a range. The stream begins at byte {@code at} of {@code in}; bit i of a selection
 * stands for value i. Sums are sums of the packed numbers, without a base.
 */
public final class PackedValues {
    /** Widest values of which {@link #MAX_COUNT} are summed without overflow. */
    public static final int MAX_SUM_BITS = 48;

    /** Widest values that are selected from. */
    public static final int MAX_SELECT_BITS = BitPacking.MAX_SINGLE_LOAD_BITS;

    /** Most values of one sum. */
    public static final int MAX_COUNT = 1 << 15;

    private PackedValues() {}

    /** The sum of {@code count} values of at most {@link #MAX_SUM_BITS} bits. */
    public static long sum(byte[] in, int at, int count, int bits) {
        if (bits == 0) {
            return 0;
        }
        long sum = 0;
        int done = 0;
        boolean vectors = count >= 64 && QueryVectors.run(count);
        if (vectors && VectorKernels.AVAILABLE) {
            done = VectorPackedValues.whole(in, at, count, bits);
            sum = VectorPackedValues.sum(in, at, done, bits);
        } else if (vectors) {
            done = Vector128PackedValues.whole(in, at, count, bits);
            sum = Vector128PackedValues.sum(in, at, done, bits);
        }
        return sum + sumScalar(in, at, done, count, bits);
    }

    /** The sum of the selected ones of {@code count} values of {@link #MAX_SUM_BITS} at most. */
    public static long sum(byte[] in, int at, int count, int bits, long[] selected) {
        if (bits == 0) {
            return 0;
        }
        long sum = 0;
        int done = 0;
        boolean vectors = count >= 64 && QueryVectors.run(count);
        if (vectors && VectorKernels.AVAILABLE) {
            done = VectorPackedValues.whole(in, at, count, bits);
            sum = VectorPackedValues.sum(in, at, done, bits, selected);
        } else if (vectors) {
            done = Vector128PackedValues.whole(in, at, count, bits);
            sum = Vector128PackedValues.sum(in, at, done, bits, selected);
        }
        return sum + sumScalar(in, at, done, count, bits, selected);
    }

    /**
     * The {@link #sum} of values that are summed once, when their block is met first: by a scalar
     * loop until vector kernels pay, as where values are unpacked. Otherwise a load that brings
     * some thousand blocks would have kernels compiled for their lengths alone.
     */
    public static long sumOnce(byte[] in, int at, int count, int bits) {
        if (bits == 0 || VectorKernels.pack(count)) {
            return sum(in, at, count, bits);
        }
        return sumScalar(in, at, 0, count, bits);
    }

    /**
     * Sets bit i of {@code out} to whether value i lies in [low, high], for i in [0, count); other
     * bits of the last word become 0.
     *
     * @param bits at most {@link #MAX_SELECT_BITS}
     * @param low not negative
     * @param high not less than {@code low}
     */
    public static void select(
            byte[] in, int at, int count, int bits, long low, long high, long[] out) {
        long most = (1L << bits) - 1;
        if (bits == 0 || low > most) {
            fill(out, count, low == 0);
            return;
        }
        long last = Math.min(high, most);
        int done = 0;
        boolean vectors = count >= 64 && QueryVectors.run(count);
        if (vectors && VectorKernels.AVAILABLE) {
            done = VectorPackedValues.whole(in, at, count, bits) & ~63;
            VectorPackedValues.select(in, at, done, bits, low, last, out);
        } else if (vectors) {
            done = Vector128PackedValues.whole(in, at, count, bits);
            Vector128PackedValues.select(in, at, done, bits, (int) low, (int) last, out);
        }
        selectScalar(in, at, done, count, bits, low, last, out);
    }

    private static void fill(long[] out, int count, boolean value) {
        int words = (count + 63) >> 6;
        Arrays.fill(out, 0, words, value ? -1L : 0);
        if (value && (count & 63) != 0) {
            out[words - 1] = (1L << count) - 1;
        }
    }

    static long sumScalar(byte[] in, int at, int from, int count, int bits) {
        int safe = Math.max(from, safeEnd(in, at, count, bits));
        long mask = (1L << bits) - 1;
        long sum = 0;
        long bit = (long) from * bits;
        for (int i = from; i < safe; i++) {
            sum += ByteAccess.getLong(in, at + (int) (bit >>> 3)) >>> (bit & 7) & mask;
            bit += bits;
        }
        for (int i = safe; i < count; i++) {
            sum += BitPacking.get(in, at, i, bits);
        }
        return sum;
    }

    static long sumScalar(byte[] in, int at, int from, int count, int bits, long[] selected) {
        long sum = 0;
        for (int start = from; start < count; start = (start | 63) + 1) {
            long left = selected[start >> 6] & -1L << start;
            left &= count - (start & ~63) >= 64 ? -1L : (1L << count) - 1;
            while (left != 0) {
                int i = (start & ~63) + Long.numberOfTrailingZeros(left);
                left &= left - 1;
                sum += BitPacking.get(in, at, i, bits);
            }
        }
        return sum;
    }

    /** From a multiple of 64 values on. */
    static void selectScalar(
            byte[] in, int at, int from, int count, int bits, long low, long high, long[] out) {
        int safe = safeEnd(in, at, count, bits);
        long mask = (1L << bits) - 1;
        long bit = (long) from * bits;
        for (int start = from; start < count; start += 64) {
            long word = 0;
            int end = Math.min(64, count - start);
            if (start + end <= safe) {
                for (int i = 0; i < end; i++) {
                    long value = ByteAccess.getLong(in, at + (int) (bit >>> 3)) >>> (bit & 7);
                    value &= mask;
                    // The sign is set if the value is less than low or greater than high.
                    word |= (~((value - low) | (high - value)) >>> 63) << i;
                    bit += bits;
                }
            } else {
                for (int i = 0; i < end; i++) {
                    long value = BitPacking.get(in, at, start + i, bits);
                    word |= (low <= value && value <= high ? 1L : 0) << i;
                }
            }
            out[start >> 6] = word;
        }
    }

    /** Values, from the first on, that can be read with 8-byte loads that end in the array. */
    private static int safeEnd(byte[] in, int at, int count, int bits) {
        long lastByte = (long) in.length - 8 - at;
        if (lastByte < 0) {
            return 0;
        }
        return (int) Math.clamp((lastByte * 8 + 7) / bits + 1, 0, (long) count);
    }
}
