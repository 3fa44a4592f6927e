package dev.penstock.sampler;

import java.util.Arrays;
import java.util.List;

/**
 * The encoded keys sampled from one block.
 *
 * @param bytes all keys, one after another
 * @param ends where each key ends in {@code bytes}
 * @param rowsPerByte rows in a byte of the block's text
 */
public record KeyBlock(byte[] bytes, int[] ends, double rowsPerByte) {
    /** Whether this block begins with a greater key than another one begins and ends with. */
    boolean isAbove(KeyBlock other) {
        int count = other.ends.length;
        if (count == 0 || ends.length == 0) {
            return false;
        }
        int lastFrom = count == 1 ? 0 : other.ends[count - 2];
        return compare(other, 0, other.ends[0]) > 0
                && compare(other, lastFrom, other.ends[count - 1]) >= 0;
    }

    /** Whether no key is less than the one before it. */
    boolean isInOrder() {
        int before = 0;
        for (int i = 1; i < ends.length; i++) {
            int from = ends[i - 1];
            if (Arrays.compareUnsigned(bytes, before, from, bytes, from, ends[i]) > 0) {
                return false;
            }
            before = from;
        }
        return true;
    }

    /** Compares the first key to one of another block. */
    private int compare(KeyBlock other, int from, int to) {
        return Arrays.compareUnsigned(bytes, 0, ends[0], other.bytes, from, to);
    }

    /** How many of the keys lie in each of the regions between the (ascending) split points. */
    int[] countsBetween(List<byte[]> splitPoints) {
        int[] counts = new int[splitPoints.size() + 1];
        int from = 0;
        int region = 0;
        for (int end : ends) {
            // Neighbours in the input are often neighbours in key order.
            if (!isIn(region, splitPoints, from, end)) {
                region = regionOf(splitPoints, from, end);
            }
            counts[region]++;
            from = end;
        }
        return counts;
    }

    private boolean isIn(int region, List<byte[]> splitPoints, int from, int to) {
        return (region == 0 || compare(splitPoints.get(region - 1), from, to) <= 0)
                && (region == splitPoints.size() || compare(splitPoints.get(region), from, to) > 0);
    }

    private int compare(byte[] point, int from, int to) {
        return Arrays.compareUnsigned(point, 0, point.length, bytes, from, to);
    }

    private int regionOf(List<byte[]> splitPoints, int from, int to) {
        int low = 0;
        int high = splitPoints.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(splitPoints.get(middle), from, to) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
