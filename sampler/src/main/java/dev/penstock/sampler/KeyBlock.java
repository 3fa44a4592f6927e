package dev.penstock.sampler;

import java.util.Arrays;
import java.util.List;

/**
 * The encoded keys sampled from one block, or as many of them as are kept. Blocks may share arrays.
 *
 * @param bytes keys of this and other blocks, one after another
 * @param ends where each of those keys ends in {@code bytes}
 * @param from the first of this block's keys
 * @param to the end of them
 * @param inOrder whether no key is less than the one before it
 * @param rowsPerByte rows in a byte of the block's text
 */
public record KeyBlock(
        byte[] bytes, int[] ends, int from, int to, boolean inOrder, double rowsPerByte) {
    /** Whether this block begins with a greater key than another one begins and ends with. */
    boolean isAbove(KeyBlock other) {
        return from < to
                && other.from < other.to
                && compareFirst(other, other.from) > 0
                && compareFirst(other, other.to - 1) >= 0;
    }

    /** Compares the first key to one of another block. */
    private int compareFirst(KeyBlock other, int key) {
        return Arrays.compareUnsigned(
                bytes, start(from), ends[from], other.bytes, other.start(key), other.ends[key]);
    }

    private int start(int key) {
        return key == 0 ? 0 : ends[key - 1];
    }

    /** How many of the keys lie in each of the regions between the (ascending) split points. */
    int[] countsBetween(List<byte[]> splitPoints) {
        int[] counts = new int[splitPoints.size() + 1];
        if (from == to) {
            return counts;
        }
        int region = regionOf(splitPoints, start(from), ends[from]);
        if (inOrder && isIn(region, splitPoints, start(to - 1), ends[to - 1])) {
            counts[region] = to - from;
            return counts;
        }
        for (int key = from; key < to; key++) {
            int start = start(key);
            // Neighbours in the input are often neighbours in key order.
            if (!isIn(region, splitPoints, start, ends[key])) {
                region = regionOf(splitPoints, start, ends[key]);
            }
            counts[region]++;
        }
        return counts;
    }

    private boolean isIn(int region, List<byte[]> splitPoints, int start, int end) {
        return (region == 0 || compare(splitPoints.get(region - 1), start, end) <= 0)
                && (region == splitPoints.size()
                        || compare(splitPoints.get(region), start, end) > 0);
    }

    private int compare(byte[] point, int start, int end) {
        return Arrays.compareUnsigned(point, 0, point.length, bytes, start, end);
    }

    private int regionOf(List<byte[]> splitPoints, int start, int end) {
        int low = 0;
        int high = splitPoints.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(splitPoints.get(middle), start, end) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
