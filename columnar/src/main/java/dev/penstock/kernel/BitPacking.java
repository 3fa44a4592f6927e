package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Unsigned values of 0 to 64 bits each, one after the other in a little-endian bit stream: value i
 * takes the bits [i * bits, (i + 1) * bits) where bit b is bit {@code b & 7} of byte {@code b >>
 * 3}. The unused bits of the last byte are 0.
 *
 * <p>Why not a transposed layout (FastLanes): here one value is found with one unaligned load,
 * which point lookups need, and eight values always begin on a byte border, so that one byte
 * permutation and one shift per lane unpack eight (or sixteen) values at a time ({@link
 * VectorBitPacking}). Measured on a shared Zen 5 core: unpacking 0.1 (ints) to 0.25 ns a value with
 * 512 bits, 0.9 scalar; packing 0.3 to 0.9 ns up to 28 bits.
 */
public final class BitPacking {
    /** Bytes beyond the packed ones that {@code pack} may overwrite. */
    public static final int PACK_SLACK = 16;

    /** Widest value that one 8-byte load at any bit offset holds. */
    static final int MAX_SINGLE_LOAD_BITS = 57;

    private static final ValueLayout.OfLong LONG_LE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private BitPacking() {}

    /** Bits that hold every value from 0 to {@code max}, which is unsigned. */
    public static int bitsFor(long max) {
        return 64 - Long.numberOfLeadingZeros(max);
    }

    /** Bytes that {@code count} values take. */
    public static long packedBytes(int count, int bits) {
        return ((long) count * bits + 7) >>> 3;
    }

    /**
     * Packs {@code values[from + i] - base} for i in [0, count) into {@code out} from byte {@code
     * at}, which needs room for {@link #PACK_SLACK} bytes more than the packed ones.
     */
    public static void pack(
            long[] values, int from, int count, long base, int bits, byte[] out, int at) {
        if (bits == 0) {
            return;
        }
        if (bits > 56) {
            packWide(values, from, count, base, bits, out, at);
            return;
        }
        int grouped = bits <= 28 ? count & ~7 : 0;
        int position = at;
        int pairsFrom = from;
        if (bits <= 15) {
            int half = 4 * bits;
            pairsFrom = from + grouped;
            for (int i = from; i < pairsFrom; i += 8) {
                long low = four(values, i, base, bits);
                long next = four(values, i + 4, base, bits);
                ByteAccess.putLong(out, position, low);
                ByteAccess.putLong(
                        out, position + (half >> 3), low >>> (half & ~7) | next << (half & 7));
                position += bits;
            }
        }
        for (int i = pairsFrom; i < from + grouped; i += 8) {
            long pair0 = (values[i] - base) | (values[i + 1] - base) << bits;
            long pair1 = (values[i + 2] - base) | (values[i + 3] - base) << bits;
            long pair2 = (values[i + 4] - base) | (values[i + 5] - base) << bits;
            long pair3 = (values[i + 6] - base) | (values[i + 7] - base) << bits;
            putPairs(pair0, pair1, pair2, pair3, bits, out, position);
            position += bits;
        }
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

    /**
     * Stores eight values of at most 28 bits, given as pairs. A group of eight begins on a byte
     * border, so that groups do not wait for each other; within it each store repeats the bits of
     * the byte that it shares with the one before.
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

    /**
     * Packs {@code values[from + i]}, none negative, as {@link #pack(long[], int, int, long, int,
     * byte[], int)}.
     */
    public static void pack(int[] values, int from, int count, int bits, byte[] out, int at) {
        if (bits == 0) {
            return;
        }
        int position = at;
        int grouped = bits <= 28 ? count & ~7 : 0;
        int end = from + grouped;
        if (bits <= 7) {
            for (int i = from; i < end; i += 8) {
                long low = four(values, i, bits);
                ByteAccess.putLong(out, position, low | four(values, i + 4, bits) << 4 * bits);
                position += bits;
            }
        } else if (bits <= 15) {
            int half = 4 * bits;
            for (int i = from; i < end; i += 8) {
                long low = four(values, i, bits);
                long high = low >>> (half & ~7) | four(values, i + 4, bits) << (half & 7);
                ByteAccess.putLong(out, position, low);
                ByteAccess.putLong(out, position + (half >> 3), high);
                position += bits;
            }
        } else {
            for (int i = from; i < end; i += 8) {
                long pair0 = values[i] | (long) values[i + 1] << bits;
                long pair1 = values[i + 2] | (long) values[i + 3] << bits;
                long pair2 = values[i + 4] | (long) values[i + 5] << bits;
                long pair3 = values[i + 6] | (long) values[i + 7] << bits;
                putPairs(pair0, pair1, pair2, pair3, bits, out, position);
                position += bits;
            }
        }
        long pending = 0;
        int filled = 0;
        for (int i = end; i < from + count; i++) {
            pending |= (long) values[i] << filled;
            filled += bits;
            ByteAccess.putLong(out, position, pending);
            int whole = filled & ~7;
            position += whole >> 3;
            pending >>>= whole;
            filled &= 7;
        }
        ByteAccess.putLong(out, position, pending);
    }

    private static long four(long[] values, int at, long base, int bits) {
        return (values[at] - base)
                | (values[at + 1] - base) << bits
                | (values[at + 2] - base) << 2 * bits
                | (values[at + 3] - base) << 3 * bits;
    }

    private static long four(int[] values, int at, int bits) {
        return values[at]
                | (long) values[at + 1] << bits
                | (long) values[at + 2] << 2 * bits
                | (long) values[at + 3] << 3 * bits;
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

    /**
     * Unpacks the values [first, first + count) of the stream that begins at byte {@code at} of
     * {@code in}, adding {@code base}. Whole vectors are read only where the array has room.
     */
    public static void unpack(
            byte[] in, int at, int first, int count, int bits, long base, long[] out, int outAt) {
        if (bits == 0) {
            java.util.Arrays.fill(out, outAt, outAt + count, base);
            return;
        }
        if (bits > MAX_SINGLE_LOAD_BITS) {
            for (int i = 0; i < count; i++) {
                out[outAt + i] = get(in, at, first + i, bits) + base;
            }
            return;
        }
        int i = 0;
        if (VectorKernels.AVAILABLE && count >= 16) {
            int head = -first & 7;
            unpackScalar(in, at, first, head, bits, base, out, outAt);
            i =
                    head
                            + VectorBitPacking.unpack(
                                    in,
                                    at,
                                    first + head,
                                    count - head,
                                    bits,
                                    base,
                                    out,
                                    outAt + head);
        }
        unpackScalar(in, at, first + i, count - i, bits, base, out, outAt + i);
    }

    /** The same for values of at most 31 bits, without a base. */
    public static void unpack(
            byte[] in, int at, int first, int count, int bits, int[] out, int outAt) {
        if (bits == 0) {
            java.util.Arrays.fill(out, outAt, outAt + count, 0);
            return;
        }
        int i = 0;
        if (VectorKernels.AVAILABLE && count >= 32 && bits <= VectorBitPacking.MAX_INT_BITS) {
            int head = -first & 7;
            unpackScalar(in, at, first, head, bits, out, outAt);
            i =
                    head
                            + VectorBitPacking.unpack(
                                    in, at, first + head, count - head, bits, out, outAt + head);
        }
        unpackScalar(in, at, first + i, count - i, bits, out, outAt + i);
    }

    static void unpackScalar(
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
            out[outAt + i] = get(in, at, first + i, bits) + base;
        }
    }

    static void unpackScalar(
            byte[] in, int at, int first, int count, int bits, int[] out, int outAt) {
        long mask = (1L << bits) - 1;
        int safe = safeCount(in, at, first, count, bits);
        long bit = (long) first * bits;
        for (int i = 0; i < safe; i++) {
            long word = ByteAccess.getLong(in, at + (int) (bit >>> 3));
            out[outAt + i] = (int) ((word >>> (bit & 7)) & mask);
            bit += bits;
        }
        for (int i = safe; i < count; i++) {
            out[outAt + i] = (int) get(in, at, first + i, bits);
        }
    }

    /** How many of the values can be read with 8-byte loads that end within the array. */
    private static int safeCount(byte[] in, int at, int first, int count, int bits) {
        long lastByte = (long) in.length - 8 - at;
        if (lastByte < 0) {
            return 0;
        }
        long values = (lastByte * 8 + 7) / bits - first + 1;
        return Math.clamp(values, 0, count);
    }

    /** Value {@code index} of the stream that begins at byte {@code at}. */
    public static long get(byte[] in, int at, int index, int bits) {
        if (bits == 0) {
            return 0;
        }
        long bit = (long) index * bits;
        int position = at + (int) (bit >>> 3);
        int shift = (int) (bit & 7);
        if (position + 8 > in.length) {
            return getBytewise(in, position, shift, bits);
        }
        long value = ByteAccess.getLong(in, position) >>> shift;
        if (shift + bits > 64) {
            value |= (long) in[position + 8] << (64 - shift);
        }
        return bits == 64 ? value : value & ((1L << bits) - 1);
    }

    private static long getBytewise(byte[] in, int position, int shift, int bits) {
        long value = 0;
        int needed = (shift + bits + 7) >> 3;
        for (int i = 0; i < needed; i++) {
            long part = in[position + i] & 0xFF;
            int to = 8 * i - shift;
            value |= to >= 0 ? part << to : part >>> -to;
        }
        return bits == 64 ? value : value & ((1L << bits) - 1);
    }

    /** The same from memory; the segment ends where the stream's owner says, or later. */
    public static long get(MemorySegment in, long at, int index, int bits) {
        if (bits == 0) {
            return 0;
        }
        long bit = (long) index * bits;
        long position = at + (bit >>> 3);
        int shift = (int) (bit & 7);
        long value;
        if (position + 9 <= in.byteSize()) {
            value = in.get(LONG_LE, position) >>> shift;
            if (shift + bits > 64) {
                value |= (long) in.get(ValueLayout.JAVA_BYTE, position + 8) << (64 - shift);
            }
        } else {
            value = 0;
            int needed = (shift + bits + 7) >> 3;
            for (int i = 0; i < needed; i++) {
                long part = in.get(ValueLayout.JAVA_BYTE, position + i) & 0xFF;
                int to = 8 * i - shift;
                value |= to >= 0 ? part << to : part >>> -to;
            }
        }
        return bits == 64 ? value : value & ((1L << bits) - 1);
    }
}
