package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.util.Arrays;

/**
 * The 512-bit form of {@link BitPacking}'s packing. Eight fields of f bits (values, or pairs of
 * ints) take exactly f bytes: each lane is shifted to the bit of its first byte, then one byte
 * permutation brings the even fields to their bytes and another one the odd fields, which share a
 * byte with their neighbours at most. Fields of less than a byte are shifted to their place and
 * united instead.
 *
 * <p>Stores 64 bytes where a group begins.
 */
final class VectorPacking {
    /** Widest field: with a shift of up to seven bits it fits a lane. */
    static final int MAX_LONG_BITS = 57;

    /** Widest value of which two make a field. */
    static final int MAX_INT_BITS = MAX_LONG_BITS / 2;

    /** Narrowest field for which even fields do not share a byte. */
    private static final int MIN_PERMUTED_BITS = 8;

    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;
    private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;

    /** For each width of a field the shift of each lane to the bit of its first byte. */
    private static final long[] SHIFTS = new long[8 * (MAX_LONG_BITS + 1)];

    /** The same to its bit within eight bytes. */
    private static final long[] WHOLE_SHIFTS = new long[8 * MIN_PERMUTED_BITS];

    /** For each width and byte of the result the byte of an even lane, or one of lane 1. */
    private static final byte[] EVEN = new byte[64 * (MAX_LONG_BITS + 1)];

    /** For each width and byte of the result the byte of an odd lane, or one of lane 0. */
    private static final byte[] ODD = new byte[64 * (MAX_LONG_BITS + 1)];

    private static final LongVector EVEN_LANES =
            LongVector.fromArray(LONGS, new long[] {-1, 0, -1, 0, -1, 0, -1, 0}, 0);
    private static final LongVector ODD_LANES = EVEN_LANES.not();

    static {
        for (int bits = 1; bits < MIN_PERMUTED_BITS; bits++) {
            for (int lane = 0; lane < 8; lane++) {
                WHOLE_SHIFTS[8 * bits + lane] = (long) lane * bits;
            }
        }
        for (int bits = MIN_PERMUTED_BITS; bits <= MAX_LONG_BITS; bits++) {
            Arrays.fill(EVEN, 64 * bits, 64 * bits + 64, (byte) 8);
            for (int lane = 0; lane < 8; lane++) {
                int first = lane * bits >> 3;
                int end = (lane + 1) * bits + 7 >> 3;
                byte[] target = (lane & 1) == 0 ? EVEN : ODD;
                for (int i = first; i < end; i++) {
                    target[64 * bits + i] = (byte) (8 * lane + i - first);
                }
                SHIFTS[8 * bits + lane] = (long) lane * bits & 7;
            }
        }
    }

    private VectorPacking() {}

    /** Packs a multiple of eight values of at most {@link #MAX_LONG_BITS} bits. */
    static void pack(long[] values, int from, int count, long base, int bits, byte[] out, int at) {
        if (bits < MIN_PERMUTED_BITS) {
            packNarrow(values, from, count, base, bits, out, at);
            return;
        }
        LongVector shifts = LongVector.fromArray(LONGS, SHIFTS, 8 * bits);
        ByteVector even = ByteVector.fromArray(BYTES, EVEN, 64 * bits);
        ByteVector odd = ByteVector.fromArray(BYTES, ODD, 64 * bits);
        int position = at;
        for (int i = from; i < from + count; i += 8) {
            LongVector fields =
                    LongVector.fromArray(LONGS, values, i)
                            .sub(base)
                            .lanewise(VectorOperators.LSHL, shifts);
            even.selectFrom(fields.and(EVEN_LANES).reinterpretAsBytes())
                    .or(odd.selectFrom(fields.and(ODD_LANES).reinterpretAsBytes()))
                    .intoArray(out, position);
            position += bits;
        }
    }

    private static void packNarrow(
            long[] values, int from, int count, long base, int bits, byte[] out, int at) {
        LongVector shifts = LongVector.fromArray(LONGS, WHOLE_SHIFTS, 8 * bits);
        int position = at;
        for (int i = from; i < from + count; i += 8) {
            long word =
                    LongVector.fromArray(LONGS, values, i)
                            .sub(base)
                            .lanewise(VectorOperators.LSHL, shifts)
                            .reduceLanes(VectorOperators.OR);
            ByteAccess.putLong(out, position, word);
            position += bits;
        }
    }

    /** Packs a multiple of sixteen values of at most {@link #MAX_INT_BITS} bits. */
    static void pack(int[] values, int from, int count, int base, int bits, byte[] out, int at) {
        if (2 * bits < MIN_PERMUTED_BITS) {
            packNarrow(values, from, count, base, bits, out, at);
            return;
        }
        LongVector shifts = LongVector.fromArray(LONGS, SHIFTS, 16 * bits);
        ByteVector even = ByteVector.fromArray(BYTES, EVEN, 128 * bits);
        ByteVector odd = ByteVector.fromArray(BYTES, ODD, 128 * bits);
        long low = (1L << bits) - 1;
        int up = 32 - bits;
        int position = at;
        for (int i = from; i < from + count; i += 16) {
            LongVector lanes = IntVector.fromArray(INTS, values, i).sub(base).reinterpretAsLongs();
            LongVector fields =
                    lanes.and(low)
                            .or(lanes.lanewise(VectorOperators.LSHR, up).and(low << bits))
                            .lanewise(VectorOperators.LSHL, shifts);
            even.selectFrom(fields.and(EVEN_LANES).reinterpretAsBytes())
                    .or(odd.selectFrom(fields.and(ODD_LANES).reinterpretAsBytes()))
                    .intoArray(out, position);
            position += 2 * bits;
        }
    }

    private static void packNarrow(
            int[] values, int from, int count, int base, int bits, byte[] out, int at) {
        LongVector shifts = LongVector.fromArray(LONGS, WHOLE_SHIFTS, 16 * bits);
        long low = (1L << bits) - 1;
        int up = 32 - bits;
        int position = at;
        for (int i = from; i < from + count; i += 16) {
            LongVector lanes = IntVector.fromArray(INTS, values, i).sub(base).reinterpretAsLongs();
            long word =
                    lanes.and(low)
                            .or(lanes.lanewise(VectorOperators.LSHR, up).and(low << bits))
                            .lanewise(VectorOperators.LSHL, shifts)
                            .reduceLanes(VectorOperators.OR);
            ByteAccess.putLong(out, position, word);
            position += 2 * bits;
        }
    }
}
