package dev.penstock.segment;

import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.ValueSums;

import java.util.Arrays;

/**
 * Sums of the hashes that packed codes stand for. Short codes are looked up several at a time, in a
 * table of the sums of all their combinations: adding up hashes does not wait for the one before as
 * counting codes does, and takes fewer steps than there are codes. Owned by one thread.
 */
final class CodeSums {
    /** Bits of codes that are looked up together; their table fits into the fastest cache. */
    private static final int MAX_GROUP_BITS = 10;

    /** With fewer codes the table of combinations would cost more than it saves. */
    private static final int MIN_GROUPED_CODES = 1024;

    private static final long[] NONE = new long[0];

    /** What a code that is no entry adds. */
    private static final long NO_ENTRY = 0x9E6C63D0876A9A47L;

    private final long[] hashes;

    /** Of which the tables are. */
    private int bits = -1;

    private long[] single = NONE;
    private int codesInGroup;
    private long[] grouped = NONE;

    /**
     * @param hashes of each entry, not to be changed
     */
    CodeSums(long[] hashes) {
        this.hashes = hashes;
    }

    /**
     * The sum of a block's codes.
     *
     * @param newBits of a code, at most 12
     */
    long of(byte[] bytes, int at, int count, int newBits) {
        if (newBits != bits) {
            bits = newBits;
            single = Arrays.copyOf(hashes, 1 << bits);
            Arrays.fill(single, Math.min(hashes.length, single.length), single.length, NO_ENTRY);
            codesInGroup = 1;
            grouped = single;
        }
        if (count >= MIN_GROUPED_CODES && codesInGroup == 1) {
            makeGroups();
        }
        int groups = count / codesInGroup;
        long sum = ValueSums.ofCodes(bytes, at, groups, bits * codesInGroup, grouped);
        for (int i = groups * codesInGroup; i < count; i++) {
            sum += single[(int) BitPacking.get(bytes, at, i, bits)];
        }
        return sum;
    }

    private void makeGroups() {
        while (bits > 0 && codesInGroup < 8 && 2 * codesInGroup * bits <= MAX_GROUP_BITS) {
            long[] pairs = new long[grouped.length * grouped.length];
            for (int i = 0; i < pairs.length; i++) {
                pairs[i] = grouped[i & grouped.length - 1] + grouped[i / grouped.length];
            }
            grouped = pairs;
            codesInGroup *= 2;
        }
    }
}
