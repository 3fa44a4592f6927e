package dev.penstock.kernel;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * The 512-bit twin of {@link PackedValues}: values are unpacked as {@link VectorBitPacking} does
 * it, 16 in ints or, if they are wider, 8 in longs, and never leave the registers. Counts are
 * multiples of 16, of selections multiples of 64, within {@link #whole}.
 */
final class VectorPackedValues {
    private VectorPackedValues() {}

    /** How many of the values, from the first on, whole vectors can be loaded for. */
    static int whole(byte[] in, int at, int count, int bits) {
        if (bits > BitPacking.MAX_SINGLE_LOAD_BITS) {
            return 0;
        }
        int groups = VectorBitPacking.groupsWithin(in.length, at, bits) & ~1;
        return (int) Math.min(count & ~15, (long) groups << 3);
    }

    static long sum(byte[] in, int at, int count, int bits) {
        return bits <= VectorBitPacking.MAX_INT_BITS
                ? sumInts(in, at, count, bits)
                : sumLongs(in, at, count, bits);
    }

    /** Lanes are added up as unsigned ints for as long as they cannot overflow. */
    private static long sumInts(byte[] in, int at, int count, int bits) {
        int groups = count >> 4;
        int together = bits == 0 ? groups : 1 << Math.min(30, 32 - bits);
        int position = at;
        long sum = 0;
        for (int group = 0; group < groups; ) {
            int end = Math.min(groups, group + together);
            IntVector lanes = IntVector.zero(VectorBitPacking.INTS);
            for (; group < end; group++) {
                lanes = lanes.add(VectorBitPacking.ints(in, position, bits));
                position += 2 * bits;
            }
            sum += widened(lanes);
        }
        return sum;
    }

    /** The sum of the lanes as unsigned ints, of vectors of any width. */
    static long widened(IntVector lanes) {
        LongVector both = lanes.reinterpretAsLongs();
        LongVector sums = both.and(0xFFFFFFFFL).add(both.lanewise(VectorOperators.LSHR, 32));
        return sums.reduceLanes(VectorOperators.ADD);
    }

    private static long sumLongs(byte[] in, int at, int count, int bits) {
        LongVector sums = LongVector.zero(VectorBitPacking.LONGS);
        int position = at;
        for (int group = count >> 3; group > 0; group--) {
            sums = sums.add(VectorBitPacking.longs(in, position, bits));
            position += bits;
        }
        return sums.reduceLanes(VectorOperators.ADD);
    }

    static long sum(byte[] in, int at, int count, int bits, long[] selected) {
        return bits <= VectorBitPacking.MAX_INT_BITS
                ? sumInts(in, at, count, bits, selected)
                : sumLongs(in, at, count, bits, selected);
    }

    private static long sumInts(byte[] in, int at, int count, int bits, long[] selected) {
        int groups = count >> 4;
        int together = 1 << Math.min(30, 32 - bits);
        int position = at;
        long sum = 0;
        for (int group = 0; group < groups; ) {
            int end = Math.min(groups, group + together);
            IntVector lanes = IntVector.zero(VectorBitPacking.INTS);
            for (; group < end; group++) {
                long chosen = selected[group >> 2] >>> (group & 3) * 16;
                VectorMask<Integer> mask =
                        VectorMask.fromLong(VectorBitPacking.INTS, chosen & 0xFFFF);
                lanes = lanes.add(VectorBitPacking.ints(in, position, bits), mask);
                position += 2 * bits;
            }
            sum += widened(lanes);
        }
        return sum;
    }

    private static long sumLongs(byte[] in, int at, int count, int bits, long[] selected) {
        LongVector sums = LongVector.zero(VectorBitPacking.LONGS);
        int position = at;
        int groups = count >> 3;
        for (int group = 0; group < groups; group++) {
            long chosen = selected[group >> 3] >>> (group & 7) * 8;
            VectorMask<Long> mask = VectorMask.fromLong(VectorBitPacking.LONGS, chosen & 0xFF);
            sums = sums.add(VectorBitPacking.longs(in, position, bits), mask);
            position += bits;
        }
        return sums.reduceLanes(VectorOperators.ADD);
    }

    static void select(byte[] in, int at, int count, int bits, long low, long high, long[] out) {
        if (bits <= VectorBitPacking.MAX_INT_BITS) {
            selectInts(in, at, count, bits, (int) low, (int) (high - low), out);
        } else {
            selectLongs(in, at, count, bits, low, high - low, out);
        }
    }

    private static void selectInts(
            byte[] in, int at, int count, int bits, int low, int span, long[] out) {
        int position = at;
        for (int word = 0; word < count >> 6; word++) {
            long chosen = 0;
            for (int part = 0; part < 64; part += 16) {
                chosen |=
                        VectorBitPacking.ints(in, position, bits)
                                        .sub(low)
                                        .compare(VectorOperators.ULE, span)
                                        .toLong()
                                << part;
                position += 2 * bits;
            }
            out[word] = chosen;
        }
    }

    private static void selectLongs(
            byte[] in, int at, int count, int bits, long low, long span, long[] out) {
        int position = at;
        for (int word = 0; word < count >> 6; word++) {
            long chosen = 0;
            for (int part = 0; part < 64; part += 8) {
                chosen |=
                        VectorBitPacking.longs(in, position, bits)
                                        .sub(low)
                                        .compare(VectorOperators.ULE, span)
                                        .toLong()
                                << part;
                position += bits;
            }
            out[word] = chosen;
        }
    }
}
