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
 * VectorBitPacking}). Measured on Zen 5, 512 bits: 0.1 to 0.25 ns a value up to 57 bits, 0.5 to 0.8
 * ns scalar.
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
        long pending = 0;
        int filled = 0;
        int position = at;
        int i = from;
        int end = from + count;
        if (bits <= 14) {
            int bits2 = 2 * bits;
            int bits3 = 3 * bits;
            for (; i + 4 <= end; i += 4) {
                long four =
                        (values[i] - base)
                                | (values[i + 1] - base) << bits
                                | (values[i + 2] - base) << bits2
                                | (values[i + 3] - base) << bits3;
                pending |= four << filled;
                filled += 4 * bits;
                ByteAccess.putLong(out, position, pending);
                int whole = filled & ~7;
                position += whole >> 3;
                pending >>>= whole;
                filled &= 7;
            }
        } else if (bits <= 28) {
            for (; i + 2 <= end; i += 2) {
                long two = (values[i] - base) | (values[i + 1] - base) << bits;
                pending |= two << filled;
                filled += 2 * bits;
                ByteAccess.putLong(out, position, pending);
                int whole = filled & ~7;
                position += whole >> 3;
                pending >>>= whole;
                filled &= 7;
            }
        }
        for (; i < end; i++) {
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
     * Packs {@code values[from + i]}, none negative, as {@link #pack(long[], int, int, long, int,
     * byte[], int)}.
     */
    public static void pack(int[] values, int from, int count, int bits, byte[] out, int at) {
        if (bits == 0) {
            return;
        }
        long pending = 0;
        int filled = 0;
        int position = at;
        int i = from;
        int end = from + count;
        if (bits <= 7) {
            for (; i + 8 <= end; i += 8) {
                long low =
                        values[i]
                                | (long) values[i + 1] << bits
                                | (long) values[i + 2] << 2 * bits
                                | (long) values[i + 3] << 3 * bits;
                long high =
                        values[i + 4]
                                | (long) values[i + 5] << bits
                                | (long) values[i + 6] << 2 * bits
                                | (long) values[i + 7] << 3 * bits;
                ByteAccess.putLong(out, position, low | high << 4 * bits);
                position += bits;
            }
        } else if (bits <= 14) {
            for (; i + 4 <= end; i += 4) {
                long four =
                        values[i]
                                | (long) values[i + 1] << bits
                                | (long) values[i + 2] << 2 * bits
                                | (long) values[i + 3] << 3 * bits;
                pending |= four << filled;
                filled += 4 * bits;
                ByteAccess.putLong(out, position, pending);
                int whole = filled & ~7;
                position += whole >> 3;
                pending >>>= whole;
                filled &= 7;
            }
        }
        for (; i < end; i++) {
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
