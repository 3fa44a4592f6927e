package dev.penstock.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The 128-bit twin of {@link PackedValues}, for processors without 512-bit vectors: values of up to
 * {@link #MAX_BITS} bits are unpacked four at a time by one byte permutation and one shift per
 * lane, and never leave the registers. Wider vectors would have to permute bytes across their
 * halves, which such processors cannot do in one instruction. Counts are multiples of 64 within
 * {@link #whole}.
 */
final class Vector128PackedValues {
    /** Widest value that four bytes hold at any bit offset. */
    static final int MAX_BITS = 25;

    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;

    /** For each width the permutations of the first and of the last four of eight values. */
    private static final byte[] ORDERS = new byte[32 * (MAX_BITS + 1)];

    private static final int[] SHIFTS = new int[8 * (MAX_BITS + 1)];

    /** For each four bits a selection of lanes. */
    private static final int[] LANES = new int[4 * 16];

    static {
        for (int bits = 1; bits <= MAX_BITS; bits++) {
            for (int value = 0; value < 8; value++) {
                int loaded = value < 4 ? 0 : upper(bits);
                SHIFTS[8 * bits + value] = value * bits & 7;
                for (int i = 0; i < 4; i++) {
                    int source = (value * bits >> 3) - loaded + i;
                    ORDERS[32 * bits + 4 * value + i] = (byte) (source & 15);
                }
            }
        }
        for (int chosen = 0; chosen < 16; chosen++) {
            for (int lane = 0; lane < 4; lane++) {
                LANES[4 * chosen + lane] = -(chosen >> lane & 1);
            }
        }
    }

    private Vector128PackedValues() {}

    /** From where in a group of eight values the last four are loaded, in bytes. */
    private static int upper(int bits) {
        return 4 * bits >> 3;
    }

    /** How many of the values, from the first on, vectors can be loaded for. */
    static int whole(byte[] in, int at, int count, int bits) {
        int room = in.length - 16 - upper(bits) - at;
        if (bits > MAX_BITS || room < 0) {
            return 0;
        }
        return (int) Math.min(count, ((long) room / bits + 1) << 3) & ~63;
    }

    /** The first four of the eight values from a byte on. */
    private static IntVector first(byte[] in, int position, int bits) {
        return ByteVector.fromArray(BYTES, ORDERS, 32 * bits)
                .selectFrom(ByteVector.fromArray(BYTES, in, position))
                .reinterpretAsInts()
                .lanewise(VectorOperators.LSHR, IntVector.fromArray(INTS, SHIFTS, 8 * bits))
                .and((1 << bits) - 1);
    }

    /** The last four of the eight values from a byte on. */
    private static IntVector last(byte[] in, int position, int bits) {
        return ByteVector.fromArray(BYTES, ORDERS, 32 * bits + 16)
                .selectFrom(ByteVector.fromArray(BYTES, in, position + upper(bits)))
                .reinterpretAsInts()
                .lanewise(VectorOperators.LSHR, IntVector.fromArray(INTS, SHIFTS, 8 * bits + 4))
                .and((1 << bits) - 1);
    }

    /** Groups of eight values, of which a lane takes two, whose sums fit unsigned ints. */
    private static int groupsTogether(int bits) {
        return 1 << Math.min(30, 31 - bits);
    }

    static long sum(byte[] in, int at, int count, int bits) {
        int groups = count >> 3;
        int together = groupsTogether(bits);
        int position = at;
        long sum = 0;
        for (int group = 0; group < groups; ) {
            int end = Math.min(groups, group + together);
            IntVector lanes = IntVector.zero(INTS);
            for (; group < end; group++) {
                lanes = lanes.add(first(in, position, bits)).add(last(in, position, bits));
                position += bits;
            }
            sum += VectorPackedValues.widened(lanes);
        }
        return sum;
    }

    static long sum(byte[] in, int at, int count, int bits, long[] selected) {
        int groups = count >> 3;
        int together = groupsTogether(bits);
        int position = at;
        long sum = 0;
        for (int group = 0; group < groups; ) {
            int end = Math.min(groups, group + together);
            IntVector lanes = IntVector.zero(INTS);
            for (; group < end; group++) {
                int chosen = (int) (selected[group >> 3] >>> (group & 7) * 8);
                IntVector lower = IntVector.fromArray(INTS, LANES, 4 * (chosen & 15));
                IntVector upper = IntVector.fromArray(INTS, LANES, 4 * (chosen >>> 4 & 15));
                lanes =
                        lanes.add(first(in, position, bits).and(lower))
                                .add(last(in, position, bits).and(upper));
                position += bits;
            }
            sum += VectorPackedValues.widened(lanes);
        }
        return sum;
    }

    /** Needs {@code low} and {@code high} to be values that the bits can hold. */
    static void select(byte[] in, int at, int count, int bits, int low, int high, long[] out) {
        // Values in [low, high] become the smallest ints, so that one signed comparison will do.
        int summand = Integer.MIN_VALUE - low;
        int limit = high + summand + 1;
        int position = at;
        for (int word = 0; word < count >> 6; word++) {
            long chosen = 0;
            for (int part = 0; part < 64; part += 8) {
                long lower = below(first(in, position, bits), summand, limit);
                long upper = below(last(in, position, bits), summand, limit);
                chosen |= (lower | upper << 4) << part;
                position += bits;
            }
            out[word] = chosen;
        }
    }

    private static long below(IntVector values, int summand, int limit) {
        return values.add(summand).compare(VectorOperators.LT, limit).toLong();
    }
}
