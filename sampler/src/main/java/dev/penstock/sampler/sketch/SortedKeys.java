package dev.penstock.sampler.sketch;

import dev.penstock.bytes.ByteAccess;

import java.util.Arrays;

/**
 * Keys in ascending order, each once, and how much of the whole weight each and the keys near it
 * stand for; all weights are positive. Immutable.
 */
public final class SortedKeys {
    private static final int FIRST_RUNS = 16;
    private static final int[] NO_RUNS = new int[0];

    private final byte[] bytes;

    /** Key {@code i} of those given is {@code bytes[ends[i - 1] .. ends[i])}. */
    private final int[] ends;

    private final long[] heads;

    /** Which of the keys given is the smallest, the next and so on. */
    private int[] order;

    /** The weight of all keys before each place, and behind the last one of all. */
    private final long[] weightsBefore;

    private int size;
    private long maxWeight;

    /**
     * Sorts keys.
     *
     * @param bytes all keys, one after another
     * @param ends where each of the first {@code count} keys ends
     * @param keyWeights weight of each; keys without one are left out
     */
    static SortedKeys of(byte[] bytes, int[] ends, long[] keyWeights, int count) {
        SortedKeys keys = new SortedKeys(bytes, ends, count);
        int[] runs = keys.findRuns(keyWeights, count);
        if (runs.length > 0) {
            keys.mergeRuns(runs, count);
            keys.unite(keyWeights, count);
        }
        return keys;
    }

    private SortedKeys(byte[] bytes, int[] ends, int count) {
        this.bytes = bytes;
        this.ends = ends;
        heads = new long[count];
        order = new int[count];
        weightsBefore = new long[count + 1];
    }

    /**
     * Looks at each key once, as all that a short load does it does in code that is hardly
     * compiled. Returns where the ascending runs start, and the last one ends; none if the keys are
     * one run, each once and with a weight, so that nothing is left to do.
     */
    private int[] findRuns(long[] keyWeights, int count) {
        int[] runs = new int[FIRST_RUNS];
        int runCount = 0;
        boolean done = true;
        for (int i = 0; i < count; i++) {
            heads[i] = head(start(i), ends[i]);
            order[i] = i;
            int fromBefore = i == 0 ? 1 : compare(i, i - 1);
            if (i == 0 || fromBefore < 0) {
                if (runCount == runs.length) {
                    runs = Arrays.copyOf(runs, 2 * runCount);
                }
                runs[runCount++] = i;
            }
            done &= fromBefore > 0 && keyWeights[i] > 0;
            addWeight(i, keyWeights[i]);
        }
        size = count;
        if (done) {
            return NO_RUNS;
        }
        runs = Arrays.copyOf(runs, runCount + 1);
        runs[runCount] = count;
        return runs;
    }

    /** Sets the weight of a place; those before have theirs. */
    private void addWeight(int place, long weight) {
        weightsBefore[place + 1] = weightsBefore[place] + weight;
        maxWeight = Math.max(maxWeight, weight);
    }

    /** The first eight bytes as a number whose order is that of the bytes. */
    private long head(int from, int to) {
        long head = 0;
        if (to - from >= 8) {
            head = ByteAccess.getLongBigEndian(bytes, from);
        } else {
            for (int i = 0; i < to - from; i++) {
                head |= (bytes[from + i] & 0xFFL) << (56 - 8 * i);
            }
        }
        return head ^ Long.MIN_VALUE;
    }

    public int size() {
        return size;
    }

    /** A copy of the key at a place of the order. */
    public byte[] key(int place) {
        return Arrays.copyOfRange(bytes, start(order[place]), ends[order[place]]);
    }

    public long weight(int place) {
        return weightsBefore[place + 1] - weightsBefore[place];
    }

    /** The weight of all keys before a place. */
    public long weightBefore(int place) {
        return weightsBefore[place];
    }

    public long totalWeight() {
        return weightsBefore[size];
    }

    /** No key has more. */
    public long maxWeight() {
        return maxWeight;
    }

    private int start(int key) {
        return key == 0 ? 0 : ends[key - 1];
    }

    private int compare(int left, int right) {
        int byHead = Long.compare(heads[left], heads[right]);
        return byHead != 0
                ? byHead
                : ByteAccess.compare(
                        bytes, start(left), ends[left], bytes, start(right), ends[right]);
    }

    /** Bottom-up merge sort that starts from the ascending runs: an input in order is one. */
    private void mergeRuns(int[] runs, int count) {
        int[] merged = new int[count];
        int runCount = runs.length - 1;
        while (runCount > 1) {
            int left = 0;
            for (int i = 0; i < runCount; i += 2) {
                int end = i + 1 < runCount ? runs[i + 2] : runs[i + 1];
                mergePair(runs[i], runs[i + 1], end, merged);
                runs[left++] = runs[i];
            }
            runs[left] = count;
            runCount = left;
            int[] swap = order;
            order = merged;
            merged = swap;
        }
    }

    private void mergePair(int from, int middle, int to, int[] merged) {
        int left = from;
        int right = middle;
        int out = from;
        while (left < middle && right < to) {
            merged[out++] =
                    compare(order[left], order[right]) <= 0 ? order[left++] : order[right++];
        }
        System.arraycopy(order, left, merged, out, middle - left);
        System.arraycopy(order, right, merged, out + middle - left, to - right);
    }

    /** Makes one of equal keys, and none of those without weight. */
    private void unite(long[] keyWeights, int count) {
        size = 0;
        for (int i = 0; i < count; i++) {
            int key = order[i];
            if (keyWeights[key] <= 0) {
                continue;
            }
            if (size > 0 && compare(order[size - 1], key) == 0) {
                addWeight(size - 1, weight(size - 1) + keyWeights[key]);
            } else {
                order[size] = key;
                addWeight(size++, keyWeights[key]);
            }
        }
    }
}
