package dev.penstock.sampler;

import java.util.Arrays;
import java.util.List;

/**
 * The encoded keys sampled from one block.
 *
 * @param bytes all keys, one after another
 * @param ends where each key ends in {@code bytes}
 */
public record KeyBlock(byte[] bytes, int[] ends) {
    /** How many of the keys lie in each of the regions between the (ascending) split points. */
    int[] countsBetween(List<byte[]> splitPoints) {
        int[] counts = new int[splitPoints.size() + 1];
        int from = 0;
        for (int end : ends) {
            counts[regionOf(splitPoints, from, end)]++;
            from = end;
        }
        return counts;
    }

    private int regionOf(List<byte[]> splitPoints, int from, int to) {
        int low = 0;
        int high = splitPoints.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            byte[] point = splitPoints.get(middle);
            if (Arrays.compareUnsigned(point, 0, point.length, bytes, from, to) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
