package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Unsigned values of 0 to 64 bits each, one after the other in a little-endian bit stream: value i
 * takes the bits [i * bits, (i + 1) * bits) where bit b is bit {@code b & 7} of byte {@code b >>
 * 3}. The unused bits of the last byte are 0.
 *
 * <p>Why not a transposed layout (FastLanes): here one value is found with one unaligned load,
 * which point lookups need, and eight values always begin on a byte border, so that one byte
 * permutation and one shift per lane unpack eight (or sixteen) values at a time ({@link
 * VectorBitPacking}), and one shift and two permutations pack them ({@link VectorPacking}).
 */
public final class BitPacking {
    /** Bytes beyond the packed ones that {@code pack} may overwrite. */
    public static final int PACK_SLACK = 64;

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

    /** Bits of each of at least eight values that take so many bytes. */
    public static int bitsOf(int count, int packedBytes) {
        return (int) (8L * packedBytes / count);
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
        if (count >= 32 && bits <= VectorPacking.MAX_LONG_BITS && VectorKernels.pack(count)) {
            int done = count & ~7;
            VectorPacking.pack(values, from, done, base, bits, out, at);
            int next = at + (int) packedBytes(done, bits);
            ScalarPacking.pack(values, from + done, count - done, base, bits, out, next);
        } else {
            ScalarPacking.pack(values, from, count, base, bits, out, at);
        }
    }

    /**
     * Packs {@code values[from + i]}, none negative, as {@link #pack(long[], int, int, long, int,
     * byte[], int)}.
     */
    public static void pack(int[] values, int from, int count, int bits, byte[] out, int at) {
        pack(values, from, count, 0, bits, out, at);
    }

    /** The same for {@code values[from + i] - base}, each of at most 31 bits. */
    public static void pack(
            int[] values, int from, int count, int base, int bits, byte[] out, int at) {
        if (bits == 0) {
            return;
        }
        if (count >= 32 && bits <= VectorPacking.MAX_INT_BITS && VectorKernels.pack(count)) {
            int done = count & ~15;
            VectorPacking.pack(values, from, done, base, bits, out, at);
            int next = at + (int) packedBytes(done, bits);
            ScalarPacking.pack(values, from + done, count - done, base, bits, out, next);
        } else {
            ScalarPacking.pack(values, from, count, base, bits, out, at);
        }
    }

    /**
     * Unpacks the values [first, first + count) of the stream that begins at byte {@code at} of
     * {@code in}, adding {@code base}. Whole vectors are read only where the array has room.
     */
    public static void unpack(
            byte[] in, int at, int first, int count, int bits, long base, long[] out, int outAt) {
        if (bits == 0) {
            Arrays.fill(out, outAt, outAt + count, base);
            return;
        }
        if (bits > MAX_SINGLE_LOAD_BITS) {
            for (int i = 0; i < count; i++) {
                out[outAt + i] = get(in, at, first + i, bits) + base;
            }
            return;
        }
        int i = 0;
        if (count >= 16 && VectorKernels.pack(count)) {
            int head = -first & 7;
            ScalarPacking.unpack(in, at, first, head, bits, base, out, outAt);
            int next = first + head;
            int to = outAt + head;
            i = head + VectorBitPacking.unpack(in, at, next, count - head, bits, base, out, to);
        }
        ScalarPacking.unpack(in, at, first + i, count - i, bits, base, out, outAt + i);
    }

    /** The same for values of at most 31 bits, without a base. */
    public static void unpack(
            byte[] in, int at, int first, int count, int bits, int[] out, int outAt) {
        unpack(in, at, first, count, bits, 0, out, outAt);
    }

    /** The same with a base, which may be negative; sums wrap around. */
    public static void unpack(
            byte[] in, int at, int first, int count, int bits, int base, int[] out, int outAt) {
        if (bits == 0) {
            Arrays.fill(out, outAt, outAt + count, base);
            return;
        }
        int i = 0;
        if (count >= 32 && bits <= VectorBitPacking.MAX_INT_BITS && VectorKernels.pack(count)) {
            int head = -first & 7;
            ScalarPacking.unpack(in, at, first, head, bits, base, out, outAt);
            int next = first + head;
            int to = outAt + head;
            i = head + VectorBitPacking.unpack(in, at, next, count - head, bits, base, out, to);
        }
        ScalarPacking.unpack(in, at, first + i, count - i, bits, base, out, outAt + i);
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
