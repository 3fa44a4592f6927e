package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * The scalar form of {@link BitPacking}: words of eight bytes hold two to eight values. Groups of
 * eight values begin on a byte border, so that groups do not wait for each other.
 */
final class ScalarPacking {
    /** Widest values of which an eight-byte load at any even value holds two. */
    private static final int MAX_PAIR_BITS = 28;

    private ScalarPacking() {}

    static void pack(long[] values, int from, int count, long base, int bits, byte[] out, int at) {
        if (bits > 56) {
            packWide(values, from, count, base, bits, out, at);
            return;
        }
        int grouped = bits <= MAX_PAIR_BITS ? count & ~7 : 0;
        if (bits <= 15) {
            packFours(values, from, grouped, base, bits, out, at);
        } else {
            packPairs(values, from, grouped, base, bits, out, at);
        }
        int position = at + (int) BitPacking.packedBytes(grouped, bits);
        long pending = 0;
        int filled = 0;
        for (int i = from + grouped; i < from + count; i++) {
            pending |= (values[i] - base) << filled;
            filled += bits;
            ByteAccess.putLong(out, position, pending);
            int whole = filled & ~7;
            position += whole >> 3;
            pending >>>= whole;
            filled &= 7;
        }
        ByteAccess.putLong(out, position, pending);
    }

    private static void packFours(
            long[] values, int from, int count, long base, int bits, byte[] out, int at) {
        int position = at;
        int half = 4 * bits;
        for (int i = from; i < from + count; i += 8) {
            long low = four(values, i, base, bits);
            long next = four(values, i + 4, base, bits);
            ByteAccess.putLong(out, position, low);
            ByteAccess.putLong(
                    out, position + (half >> 3), low >>> (half & ~7) | next << (half & 7));
            position += bits;
        }
    }

    private static long four(long[] values, int at, long base, int bits) {
        return (values[at] - base)
                | (values[at + 1] - base) << bits
                | (values[at + 2] - base) << 2 * bits
                | (values[at + 3] - base) << 3 * bits;
    }

    private static void packPairs(
            long[] values, int from, int count, long base, int bits, byte[] out, int at) {
        int position = at;
        for (int i = from; i < from + count; i += 8) {
            long pair0 = (values[i] - base) | (values[i + 1] - base) << bits;
            long pair1 = (values[i + 2] - base) | (values[i + 3] - base) << bits;
            long pair2 = (values[i + 4] - base) | (values[i + 5] - base) << bits;
            long pair3 = (values[i + 6] - base) | (values[i + 7] - base) << bits;
            putPairs(pair0, pair1, pair2, pair3, bits, out, position);
            position += bits;
        }
    }

    /**
     * Stores eight values of at most {@link #MAX_PAIR_BITS} bits, given as pairs; each store
     * repeats the bits of the byte that it shares with the one before.
     */
    private static void putPairs(
            long pair0, long pair1, long pair2, long pair3, int bits, byte[] out, int at) {
        int byte1 = 2 * bits >> 3;
        int byte2 = 4 * bits >> 3;
        int byte3 = 6 * bits >> 3;
        long word1 = pair0 >>> 8 * byte1 | pair1 << (2 * bits & 7);
        long word2 = word1 >>> 8 * (byte2 - byte1) | pair2 << (4 * bits & 7);
        long word3 = word2 >>> 8 * (byte3 - byte2) | pair3 << (6 * bits & 7);
        ByteAccess.putLong(out, at, pair0);
        ByteAccess.putLong(out, at + byte1, word1);
        ByteAccess.putLong(out, at + byte2, word2);
        ByteAccess.putLong(out, at + byte3, word3);
    }

    private static void packWide(
            long[] values, int from, int count, long base, int bits, byte[] out, int at) {
        long pending = 0;
        int filled = 0;
        int position = at;
        for (int i = from; i < from + count; i++) {
            long value = values[i] - base;
            pending |= value << filled;
            if (filled + bits >= 64) {
                ByteAccess.putLong(out, position, pending);
                position += 8;
                int taken = 64 - filled;
                pending = taken == 64 ? 0 : value >>> taken;
                filled = bits - taken;
            } else {
                filled += bits;
            }
        }
        ByteAccess.putLong(out, position, pending);
    }

    static void pack(int[] values, int from, int count, int base, int bits, byte[] out, int at) {
        int grouped = bits <= MAX_PAIR_BITS ? count & ~7 : 0;
        if (bits <= 8) {
            packEights(values, from, grouped, base, bits, out, at);
        } else if (bits <= 15) {
            packFours(values, from, grouped, base, bits, out, at);
        } else {
            packPairs(values, from, grouped, base, bits, out, at);
        }
        int position = at + (int) BitPacking.packedBytes(grouped, bits);
        long pending = 0;
        int filled = 0;
        for (int i = from + grouped; i < from + count; i++) {
            pending |= (values[i] - base & 0xFFFFFFFFL) << filled;
            filled += bits;
            ByteAccess.putLong(out, position, pending);
            int whole = filled & ~7;
            position += whole >> 3;
            pending >>>= whole;
            filled &= 7;
        }
        ByteAccess.putLong(out, position, pending);
    }

    private static void packEights(
            int[] values, int from, int count, int base, int bits, byte[] out, int at) {
        int position = at;
        for (int i = from; i < from + count; i += 8) {
            long low = four(values, i, base, bits);
            ByteAccess.putLong(out, position, low | four(values, i + 4, base, bits) << 4 * bits);
            position += bits;
        }
    }

    private static void packFours(
            int[] values, int from, int count, int base, int bits, byte[] out, int at) {
        int position = at;
        int half = 4 * bits;
        for (int i = from; i < from + count; i += 8) {
            long low = four(values, i, base, bits);
            long next = four(values, i + 4, base, bits);
            ByteAccess.putLong(out, position, low);
            ByteAccess.putLong(
                    out, position + (half >> 3), low >>> (half & ~7) | next << (half & 7));
            position += bits;
        }
    }

    private static long four(int[] values, int at, int base, int bits) {
        return (values[at] - base)
                | (long) (values[at + 1] - base) << bits
                | (long) (values[at + 2] - base) << 2 * bits
                | (long) (values[at + 3] - base) << 3 * bits;
    }

    private static void packPairs(
            int[] values, int from, int count, int base, int bits, byte[] out, int at) {
        int position = at;
        for (int i = from; i < from + count; i += 8) {
            long pair0 = (values[i] - base) | (long) (values[i + 1] - base) << bits;
            long pair1 = (values[i + 2] - base) | (long) (values[i + 3] - base) << bits;
            long pair2 = (values[i + 4] - base) | (long) (values[i + 5] - base) << bits;
            long pair3 = (values[i + 6] - base) | (long) (values[i + 7] - base) << bits;
            putPairs(pair0, pair1, pair2, pair3, bits, out, position);
            position += bits;
        }
    }

    /** Values of 1 to {@link BitPacking#MAX_SINGLE_LOAD_BITS} bits. */
    static void unpack(
            byte[] in, int at, int first, int count, int bits, long base, long[] out, int outAt) {
        long mask = (1L << bits) - 1;
        int safe = safeCount(in, at, first, count, bits);
        long bit = (long) first * bits;
        for (int i = 0; i < safe; i++) {
            long word = ByteAccess.getLong(in, at + (int) (bit >>> 3));
            out[outAt + i] = ((word >>> (bit & 7)) & mask) + base;
            bit += bits;
        }
        for (int i = safe; i < count; i++) {
            out[outAt + i] = BitPacking.get(in, at, first + i, bits) + base;
        }
    }

    /** Values of 1 to 31 bits. */
    static void unpack(
            byte[] in, int at, int first, int count, int bits, int base, int[] out, int outAt) {
        int head = Math.min(count, -first & 7);
        unpackEach(in, at, first, head, bits, base, out, outAt);
        int from = first + head;
        int to = outAt + head;
        int done = 0;
        if (bits <= MAX_PAIR_BITS) {
            done = safeCount(in, at, from, count - head, bits) & ~7;
            int position = at + (int) ((long) from * bits >> 3);
            if (bits <= 8) {
                unpackEights(in, position, done, bits, base, out, to);
            } else if (bits <= 15) {
                unpackFours(in, position, done, bits, base, out, to);
            } else {
                unpackPairs(in, position, done, bits, base, out, to);
            }
        }
        unpackEach(in, at, from + done, count - head - done, bits, base, out, to + done);
    }

    private static void unpackEights(
            byte[] in, int at, int count, int bits, int base, int[] out, int outAt) {
        int mask = (1 << bits) - 1;
        int position = at;
        for (int i = outAt; i < outAt + count; i += 8) {
            long word = ByteAccess.getLong(in, position);
            long high = word >>> 4 * bits;
            out[i] = ((int) word & mask) + base;
            out[i + 1] = ((int) (word >>> bits) & mask) + base;
            out[i + 2] = ((int) (word >>> 2 * bits) & mask) + base;
            out[i + 3] = ((int) (word >>> 3 * bits) & mask) + base;
            out[i + 4] = ((int) high & mask) + base;
            out[i + 5] = ((int) (high >>> bits) & mask) + base;
            out[i + 6] = ((int) (high >>> 2 * bits) & mask) + base;
            out[i + 7] = ((int) (high >>> 3 * bits) & mask) + base;
            position += bits;
        }
    }

    private static void unpackFours(
            byte[] in, int at, int count, int bits, int base, int[] out, int outAt) {
        int mask = (1 << bits) - 1;
        int half = 4 * bits;
        int position = at;
        for (int i = outAt; i < outAt + count; i += 8) {
            long word = ByteAccess.getLong(in, position);
            long high = ByteAccess.getLong(in, position + (half >> 3)) >>> (half & 7);
            out[i] = ((int) word & mask) + base;
            out[i + 1] = ((int) (word >>> bits) & mask) + base;
            out[i + 2] = ((int) (word >>> 2 * bits) & mask) + base;
            out[i + 3] = ((int) (word >>> 3 * bits) & mask) + base;
            out[i + 4] = ((int) high & mask) + base;
            out[i + 5] = ((int) (high >>> bits) & mask) + base;
            out[i + 6] = ((int) (high >>> 2 * bits) & mask) + base;
            out[i + 7] = ((int) (high >>> 3 * bits) & mask) + base;
            position += bits;
        }
    }

    private static void unpackPairs(
            byte[] in, int at, int count, int bits, int base, int[] out, int outAt) {
        int mask = (1 << bits) - 1;
        int position = at;
        for (int i = outAt; i < outAt + count; i += 8) {
            for (int pair = 0; pair < 4; pair++) {
                int bit = 2 * pair * bits;
                long word = ByteAccess.getLong(in, position + (bit >> 3)) >>> (bit & 7);
                out[i + 2 * pair] = ((int) word & mask) + base;
                out[i + 2 * pair + 1] = ((int) (word >>> bits) & mask) + base;
            }
            position += bits;
        }
    }

    private static void unpackEach(
            byte[] in, int at, int first, int count, int bits, int base, int[] out, int outAt) {
        for (int i = 0; i < count; i++) {
            out[outAt + i] = (int) BitPacking.get(in, at, first + i, bits) + base;
        }
    }

    /**
     * How many of the values can be read with 8-byte loads that end within the array. A group of
     * eight values loads no further than its last value.
     */
    private static int safeCount(byte[] in, int at, int first, int count, int bits) {
        long lastByte = (long) in.length - 8 - at;
        if (lastByte < 0) {
            return 0;
        }
        long values = (lastByte * 8 + 7) / bits - first + 1;
        return Math.clamp(values, 0, count);
    }
}
