package dev.penstock.aggregate;

import dev.penstock.error.PenstockException;
import dev.penstock.kernel.GroupKernels;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * A 128-bit sum for each group. Values that are small enough are first summed in longs, which are
 * emptied before they could overflow. Owned by one thread.
 */
final class ExactSums {
    /** Values of at most this size are summed in longs: a batch of 2^16 of them fits. */
    private static final long SMALL = 1L << 46;

    private static final long ROOM = 1L << 62;
    private static final int LANES = GroupKernels.LANES;

    private long[] small = new long[0];
    private long[] low = new long[0];
    private long[] high = new long[0];

    /** What the absolute values may sum up to before {@link #small} must be emptied. */
    private long room = ROOM;

    void ensureGroups(int groups) {
        if (low.length < groups) {
            int capacity = Math.max(groups, 2 * low.length);
            small = Arrays.copyOf(small, LANES * capacity);
            low = Arrays.copyOf(low, capacity);
            high = Arrays.copyOf(high, capacity);
        }
    }

    /**
     * Adds values to their groups.
     *
     * @param ids group of each value, null if there is one group only
     * @param count at most 2^16
     * @param bound no value's distance from 0 is greater; negative if that is not known
     */
    void add(int @Nullable [] ids, int count, long[] values, long bound) {
        if (bound < 0 || bound > SMALL) {
            for (int i = 0; i < count; i++) {
                add(ids == null ? 0 : ids[i], values[i] >> 63, values[i]);
            }
            return;
        }
        if (ids == null) {
            long sum = GroupKernels.sum(values, count);
            add(0, sum >> 63, sum);
            return;
        }
        long most = count * bound;
        if (most > room) {
            empty();
            room = ROOM;
        }
        room -= most;
        GroupKernels.sum(ids, count, values, small);
    }

    /**
     * Adds a number to a group.
     *
     * @throws PenstockException category DATA if it or the sum has more than 127 bits
     */
    void add(int group, BigInteger number) {
        long before = high[group];
        long more = number.shiftRight(64).longValue();
        add(group, more, number.longValue());
        boolean overflow = ((before ^ high[group]) & (more ^ high[group])) < 0;
        if (overflow || number.bitLength() > 127) {
            throw PenstockException.data("a sum of products has more than 38 digits");
        }
    }

    /** Adds a number of 128 bits to a group. */
    void add(int group, long addHigh, long addLow) {
        long sum = low[group] + addLow;
        boolean carry = Long.compareUnsigned(sum, addLow) < 0;
        high[group] += addHigh + (carry ? 1 : 0);
        low[group] = sum;
    }

    /** Adds {@code value * count}. */
    void addProduct(int group, long value, long count) {
        add(group, Math.multiplyHigh(value, count), value * count);
    }

    private void empty() {
        for (int i = 0; i < small.length; i++) {
            add(i / LANES, small[i] >> 63, small[i]);
            small[i] = 0;
        }
    }

    BigInteger sum(int group) {
        long extra = GroupKernels.total(small, group);
        BigInteger lowPart = new BigInteger(Long.toUnsignedString(low[group]));
        return BigInteger.valueOf(high[group])
                .shiftLeft(64)
                .add(lowPart)
                .add(BigInteger.valueOf(extra));
    }
}
