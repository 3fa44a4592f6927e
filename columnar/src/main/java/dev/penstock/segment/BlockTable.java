package dev.penstock.segment;

import dev.penstock.bytes.ByteAccess;

import java.util.Arrays;

/** References to the blocks of one column, as arrays by block number. */
final class BlockTable {
    byte[] encodings;
    long[] offsets;
    int[] lengths;
    int[] checksums;
    int[] nullCounts;
    long[] mins;
    long[] maxs;

    BlockTable(int capacity) {
        encodings = new byte[capacity];
        offsets = new long[capacity];
        lengths = new int[capacity];
        checksums = new int[capacity];
        nullCounts = new int[capacity];
        mins = new long[capacity];
        maxs = new long[capacity];
    }

    /** Reads the reference to a block, as a footer has it. */
    void get(int block, byte[] bytes, int at) {
        encodings[block] = bytes[at];
        offsets[block] = ByteAccess.getLong(bytes, at + 1);
        lengths[block] = ByteAccess.getInt(bytes, at + 9);
        checksums[block] = ByteAccess.getInt(bytes, at + 13);
        nullCounts[block] = ByteAccess.getInt(bytes, at + 17);
        mins[block] = ByteAccess.getLong(bytes, at + 21);
        maxs[block] = ByteAccess.getLong(bytes, at + 29);
    }

    /** The opposite of {@link #get}. */
    void put(int block, byte[] bytes, int at) {
        bytes[at] = encodings[block];
        ByteAccess.putLong(bytes, at + 1, offsets[block]);
        ByteAccess.putInt(bytes, at + 9, lengths[block]);
        ByteAccess.putInt(bytes, at + 13, checksums[block]);
        ByteAccess.putInt(bytes, at + 17, nullCounts[block]);
        ByteAccess.putLong(bytes, at + 21, mins[block]);
        ByteAccess.putLong(bytes, at + 29, maxs[block]);
    }

    /** NULLs in the first blocks; and so on for the other sums and bounds. */
    long nullCount(int blockCount) {
        long sum = 0;
        for (int i = 0; i < blockCount; i++) {
            sum += nullCounts[i];
        }
        return sum;
    }

    long bytes(int blockCount) {
        long sum = 0;
        for (int i = 0; i < blockCount; i++) {
            sum += lengths[i];
        }
        return sum;
    }

    long min(int blockCount) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < blockCount; i++) {
            min = Math.min(min, mins[i]);
        }
        return min;
    }

    long max(int blockCount) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < blockCount; i++) {
            max = Math.max(max, maxs[i]);
        }
        return max;
    }

    void ensure(int blockCount) {
        if (encodings.length >= blockCount) {
            return;
        }
        int capacity = Math.max(blockCount, 2 * encodings.length);
        encodings = Arrays.copyOf(encodings, capacity);
        offsets = Arrays.copyOf(offsets, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
        checksums = Arrays.copyOf(checksums, capacity);
        nullCounts = Arrays.copyOf(nullCounts, capacity);
        mins = Arrays.copyOf(mins, capacity);
        maxs = Arrays.copyOf(maxs, capacity);
    }
}
