package dev.penstock.segment;

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
