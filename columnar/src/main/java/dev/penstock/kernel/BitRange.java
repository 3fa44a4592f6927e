package dev.penstock.kernel;

/** Ranges of bits in words; bit i is bit {@code i & 63} of word {@code i >> 6}. */
public final class BitRange {
    private BitRange() {}

    /** The 64 bits from bit {@code from}; bits beyond the array are 0. */
    public static long word(long[] words, int from) {
        int index = from >> 6;
        // Without branches, which compiled callers would stumble over when one is taken first.
        int next = index + (index + 1 - words.length >>> 31);
        long high = (words[next] << 1) << (~from & 63) & -(long) (next - index);
        return words[index] >>> from | high;
    }

    /** The {@code count} bits from bit {@code from}, at most the next 64; the others are 0. */
    public static long word(long[] words, int from, int count) {
        long bits = word(words, from);
        return count >= 64 ? bits : bits & (1L << count) - 1;
    }

    /** Each bit becomes the parity of the bits up to it. */
    public static long parity(long bits) {
        long x = bits ^ bits << 1;
        x ^= x << 2;
        x ^= x << 4;
        x ^= x << 8;
        x ^= x << 16;
        return x ^ x << 32;
    }

    /** Copies {@code count} bits; the ranges lie in different arrays. */
    public static void copy(long[] source, int from, long[] target, int to, int count) {
        int done = 0;
        while (done < count) {
            int bit = to + done;
            int room = Math.min(64 - (bit & 63), count - done);
            long mask = (room == 64 ? -1L : (1L << room) - 1) << bit;
            long bits = word(source, from + done) << bit;
            target[bit >> 6] = (target[bit >> 6] & ~mask) | (bits & mask);
            done += room;
        }
    }

    /** Sets {@code count} bits. */
    public static void set(long[] target, int from, int count) {
        int done = 0;
        while (done < count) {
            int bit = from + done;
            int room = Math.min(64 - (bit & 63), count - done);
            target[bit >> 6] |= (room == 64 ? -1L : (1L << room) - 1) << bit;
            done += room;
        }
    }

    /** Clears {@code count} bits. */
    public static void clear(long[] target, int from, int count) {
        int done = 0;
        while (done < count) {
            int bit = from + done;
            int room = Math.min(64 - (bit & 63), count - done);
            target[bit >> 6] &= ~((room == 64 ? -1L : (1L << room) - 1) << bit);
            done += room;
        }
    }

    /** Bits that are 1. */
    public static int count(long[] words, int from, int count) {
        int ones = 0;
        for (int done = 0; done < count; done += 64) {
            ones += Long.bitCount(word(words, from + done, count - done));
        }
        return ones;
    }

    /** The first bit in [from, to) that is 1, or {@code to}. */
    public static int nextSet(long[] words, int from, int to) {
        return next(words, from, to, 0);
    }

    /** The first bit in [from, to) that is 0, or {@code to}. */
    public static int nextClear(long[] words, int from, int to) {
        return next(words, from, to, -1);
    }

    private static int next(long[] words, int from, int to, long flip) {
        int bit = from;
        while (bit < to) {
            long bits = (words[bit >> 6] ^ flip) >>> bit;
            if (bits != 0) {
                return Math.min(to, bit + Long.numberOfTrailingZeros(bits));
            }
            bit = (bit | 63) + 1;
        }
        return to;
    }
}
