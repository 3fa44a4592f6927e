package dev.penstock.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The 512-bit twin of {@link BitPacking}'s unpacking. Eight values of b bits span exactly b bytes,
 * so for each width one byte permutation brings to each lane the bytes that hold its value, and one
 * shift per lane brings the value to bit 0. Needs 64 readable bytes at the group's start, and
 * starts at a multiple of eight values; returns how many values it did.
 */
final class VectorBitPacking {
    /** Widest value for 16 int lanes: 25 bits at any bit offset fit a lane. */
    static final int MAX_INT_BITS = 25;

    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;
    static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
    static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;

    private static final byte[] LONG_BYTES = new byte[64 * 58];
    private static final long[] LONG_SHIFTS = new long[8 * 58];
    private static final byte[] INT_BYTES = new byte[64 * 26];
    private static final int[] INT_SHIFTS = new int[16 * 26];

    static {
        for (int bits = 1; bits <= BitPacking.MAX_SINGLE_LOAD_BITS; bits++) {
            for (int lane = 0; lane < 8; lane++) {
                LONG_SHIFTS[8 * bits + lane] = (long) lane * bits & 7;
                for (int i = 0; i < 8; i++) {
                    int source = (lane * bits >> 3) + i;
                    LONG_BYTES[64 * bits + 8 * lane + i] = (byte) (source & 63);
                }
            }
        }
        for (int bits = 1; bits <= MAX_INT_BITS; bits++) {
            for (int lane = 0; lane < 16; lane++) {
                INT_SHIFTS[16 * bits + lane] = lane * bits & 7;
                for (int i = 0; i < 4; i++) {
                    INT_BYTES[64 * bits + 4 * lane + i] = (byte) ((lane * bits >> 3) + i);
                }
            }
        }
    }

    private VectorBitPacking() {}

    static int unpack(
            byte[] in, int at, int first, int count, int bits, long base, long[] out, int outAt) {
        ByteVector order = ByteVector.fromArray(BYTES, LONG_BYTES, 64 * bits);
        LongVector shifts = LongVector.fromArray(LONGS, LONG_SHIFTS, 8 * bits);
        long mask = (1L << bits) - 1;
        int position = at + (int) ((long) first * bits >> 3);
        int groups = Math.min(count >> 3, groupsWithin(in.length, position, bits));
        int to = outAt;
        for (int i = 0; i < groups; i++) {
            LongVector lanes =
                    order.selectFrom(ByteVector.fromArray(BYTES, in, position))
                            .reinterpretAsLongs();
            lanes.lanewise(VectorOperators.LSHR, shifts).and(mask).add(base).intoArray(out, to);
            position += bits;
            to += 8;
        }
        return groups << 3;
    }

    static int unpack(
            byte[] in, int at, int first, int count, int bits, int base, int[] out, int outAt) {
        ByteVector order = ByteVector.fromArray(BYTES, INT_BYTES, 64 * bits);
        IntVector shifts = IntVector.fromArray(INTS, INT_SHIFTS, 16 * bits);
        int mask = (1 << bits) - 1;
        int position = at + (int) ((long) first * bits >> 3);
        int groups = Math.min(count >> 4, groupsWithin(in.length, position, 2 * bits));
        int to = outAt;
        for (int i = 0; i < groups; i++) {
            IntVector lanes =
                    order.selectFrom(ByteVector.fromArray(BYTES, in, position)).reinterpretAsInts();
            lanes.lanewise(VectorOperators.LSHR, shifts).and(mask).add(base).intoArray(out, to);
            position += 2 * bits;
            to += 16;
        }
        return groups << 4;
    }

    /** Eight values of at most 57 bits from a byte on. */
    static LongVector longs(byte[] in, int position, int bits) {
        return ByteVector.fromArray(BYTES, LONG_BYTES, 64 * bits)
                .selectFrom(ByteVector.fromArray(BYTES, in, position))
                .reinterpretAsLongs()
                .lanewise(VectorOperators.LSHR, LongVector.fromArray(LONGS, LONG_SHIFTS, 8 * bits))
                .and((1L << bits) - 1);
    }

    /** Sixteen values of at most {@link #MAX_INT_BITS} bits from a byte on. */
    static IntVector ints(byte[] in, int position, int bits) {
        return ByteVector.fromArray(BYTES, INT_BYTES, 64 * bits)
                .selectFrom(ByteVector.fromArray(BYTES, in, position))
                .reinterpretAsInts()
                .lanewise(VectorOperators.LSHR, IntVector.fromArray(INTS, INT_SHIFTS, 16 * bits))
                .and((1 << bits) - 1);
    }

    /** Groups whose 64-byte load ends within the array. */
    static int groupsWithin(int length, int position, int groupBytes) {
        int room = length - 64 - position;
        return room < 0 ? 0 : room / groupBytes + 1;
    }
}
