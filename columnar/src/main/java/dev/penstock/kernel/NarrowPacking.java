package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

import java.util.Arrays;

/**
 * Between the bit streams of {@link BitPacking} and lanes of one or two bytes, little-endian, in an
 * array: a word of eight bytes is eight lanes or four, and all of them are moved by the same few
 * shifts and masks. First the halves of a word's values are moved apart, then the halves of each
 * half. So a value takes two to three instructions instead of five, and a quarter or half of the
 * memory that it takes as an int.
 *
 * <p>The highest bit of a lane is kept free for a borrow, which says that a value is above a limit.
 */
public final class NarrowPacking {
    /** Widest value of a lane of one byte. */
    public static final int MAX_BYTE_BITS = 7;

    /** Widest value of a lane of two bytes. */
    public static final int MAX_SHORT_BITS = 15;

    private static final long EACH_BYTE = 0x0101010101010101L;
    private static final long EACH_SHORT = 0x0001000100010001L;
    private static final long EACH_INT = 0x0000000100000001L;

    private NarrowPacking() {}

    /** Whether no value of {@code bits} bits, and none after adding, needs more than a lane has. */
    static boolean fits(int bits, int summand, int maxBits) {
        return bits <= maxBits && summand >= 0 && summand <= (1 << maxBits) - 1 - ((1 << bits) - 1);
    }

    /**
     * Unpacks the values [first, first + count) of the stream that begins at byte {@code at} into
     * lanes of one byte from {@code outAt} on, adding a number to each.
     *
     * @param limit of what a value may then be; at most {@link #MAX_BYTE_BITS} bits
     * @return whether all are at most the limit; false also if lanes could be too narrow, and then
     *     nothing is unpacked
     */
    public static boolean unpackBytes(
            byte[] in,
            int at,
            int first,
            int count,
            int bits,
            int summand,
            int limit,
            byte[] out,
            int outAt) {
        if (!fits(bits, summand, MAX_BYTE_BITS)) {
            return false;
        }
        if (bits == 0) {
            Arrays.fill(out, outAt, outAt + count, (byte) summand);
            return summand <= limit;
        }
        int head = Math.min(count, -first & 7);
        int highest = eachByte(in, at, first, head, bits, summand, out, outAt);
        int from = first + head;
        int position = at + (int) ((long) from * bits >> 3);
        int groups = Math.min(count - head >> 3, groupsWithin(in.length - 8, position, bits));
        int to = outAt + head;
        boolean within = byteGroups(in, position, groups, bits, summand, limit, out, to);
        int done = head + 8 * groups;
        int last = eachByte(in, at, first + done, count - done, bits, summand, out, outAt + done);
        return within && Math.max(highest, last) <= limit;
    }

    private static int eachByte(
            byte[] in, int at, int first, int count, int bits, int summand, byte[] out, int outAt) {
        int highest = 0;
        for (int i = 0; i < count; i++) {
            int value = (int) BitPacking.get(in, at, first + i, bits) + summand;
            out[outAt + i] = (byte) value;
            highest = Math.max(highest, value);
        }
        return highest;
    }

    private static boolean byteGroups(
            byte[] in,
            int at,
            int groups,
            int bits,
            int summand,
            int limit,
            byte[] out,
            int outAt) {
        long fours = (1L << 4 * bits) - 1;
        long twos = ((1L << 2 * bits) - 1) * EACH_INT;
        long ones = ((1L << bits) - 1) * EACH_SHORT;
        long added = summand * EACH_BYTE;
        long highBits = EACH_BYTE << 7;
        long most = highBits + limit * EACH_BYTE;
        long within = -1;
        int position = at;
        for (int to = outAt; to < outAt + 8 * groups; to += 8) {
            long word = ByteAccess.getLong(in, position);
            word = word & fours | word << 32 - 4 * bits & fours << 32;
            word = word & twos | word << 16 - 2 * bits & twos << 16;
            word = (word & ones | word << 8 - bits & ones << 8) + added;
            ByteAccess.putLong(out, to, word);
            within &= most - word;
            position += bits;
        }
        return (within & highBits) == highBits;
    }

    /**
     * The same into lanes of two bytes, the first of which is lane {@code outLane} of {@code out}.
     *
     * @param limit at most {@link #MAX_SHORT_BITS} bits
     */
    public static boolean unpackShorts(
            byte[] in,
            int at,
            int first,
            int count,
            int bits,
            int summand,
            int limit,
            byte[] out,
            int outLane) {
        if (!fits(bits, summand, MAX_SHORT_BITS)) {
            return false;
        }
        int head = Math.min(count, -first & 7);
        int highest = eachShort(in, at, first, head, bits, summand, out, outLane);
        int from = first + head;
        int position = at + (int) ((long) from * bits >> 3);
        int room = in.length - 8 - (4 * bits >> 3);
        int groups = Math.min(count - head >> 3, groupsWithin(room, position, bits));
        int to = 2 * (outLane + head);
        boolean within = shortGroups(in, position, groups, bits, summand, limit, out, to);
        int done = head + 8 * groups;
        int last =
                eachShort(in, at, first + done, count - done, bits, summand, out, outLane + done);
        return within && Math.max(highest, last) <= limit;
    }

    private static int eachShort(
            byte[] in,
            int at,
            int first,
            int count,
            int bits,
            int summand,
            byte[] out,
            int outLane) {
        int highest = 0;
        for (int i = 0; i < count; i++) {
            int value = (int) BitPacking.get(in, at, first + i, bits) + summand;
            ByteAccess.putShort(out, 2 * (outLane + i), value);
            highest = Math.max(highest, value);
        }
        return highest;
    }

    private static boolean shortGroups(
            byte[] in,
            int at,
            int groups,
            int bits,
            int summand,
            int limit,
            byte[] out,
            int outAt) {
        long twos = (1L << 2 * bits) - 1;
        long ones = ((1L << bits) - 1) * EACH_INT;
        long added = summand * EACH_SHORT;
        long highBits = EACH_SHORT << 15;
        long most = highBits + limit * EACH_SHORT;
        int half = 4 * bits >> 3;
        int shift = 4 * bits & 7;
        long within = -1;
        int position = at;
        for (int to = outAt; to < outAt + 16 * groups; to += 16) {
            long low = ByteAccess.getLong(in, position);
            long high = ByteAccess.getLong(in, position + half) >>> shift;
            low = low & twos | low << 32 - 2 * bits & twos << 32;
            high = high & twos | high << 32 - 2 * bits & twos << 32;
            low = (low & ones | low << 16 - bits & ones << 16) + added;
            high = (high & ones | high << 16 - bits & ones << 16) + added;
            ByteAccess.putLong(out, to, low);
            ByteAccess.putLong(out, to + 8, high);
            within &= most - low & most - high;
            position += bits;
        }
        return (within & highBits) == highBits;
    }

    /** Groups of {@code groupBytes} from a position on, none of which begins after another. */
    private static int groupsWithin(int lastPosition, int position, int groupBytes) {
        int room = lastPosition - position;
        return room < 0 || groupBytes == 0 ? 0 : room / groupBytes + 1;
    }

    /**
     * Packs lanes of two bytes, values of at most {@link #MAX_SHORT_BITS} bits, from lane {@code
     * from} on. The target needs room for {@link BitPacking#PACK_SLACK} bytes more.
     */
    public static void packShorts(byte[] lanes, int from, int count, int bits, byte[] out, int at) {
        if (bits == 0) {
            return;
        }
        long ones = ((1L << bits) - 1) * EACH_INT;
        long twos = (1L << 2 * bits) - 1;
        int half = 4 * bits;
        int grouped = count & ~7;
        int position = at;
        for (int lane = 2 * from; lane < 2 * (from + grouped); lane += 16) {
            long low = ByteAccess.getLong(lanes, lane);
            long high = ByteAccess.getLong(lanes, lane + 8);
            low = low & ones | low >>> 16 - bits & ones << bits;
            high = high & ones | high >>> 16 - bits & ones << bits;
            low = low & twos | low >>> 32 - 2 * bits & twos << 2 * bits;
            high = high & twos | high >>> 32 - 2 * bits & twos << 2 * bits;
            ByteAccess.putLong(out, position, low);
            ByteAccess.putLong(
                    out, position + (half >> 3), low >>> (half & ~7) | high << (half & 7));
            position += bits;
        }
        packRest(lanes, from + grouped, count - grouped, bits, out, position);
    }

    private static void packRest(byte[] lanes, int from, int count, int bits, byte[] out, int at) {
        long pending = 0;
        int filled = 0;
        int position = at;
        for (int i = from; i < from + count; i++) {
            pending |= (long) ByteAccess.getShort(lanes, 2 * i) << filled;
            filled += bits;
            ByteAccess.putLong(out, position, pending);
            int whole = filled & ~7;
            position += whole >> 3;
            pending >>>= whole;
            filled &= 7;
        }
        ByteAccess.putLong(out, position, pending);
    }
}
