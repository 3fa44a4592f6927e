package dev.penstock.sampler.sketch;

/**
 * Keys in ascending order, each once, and how much of the whole weight each and the keys near it
 * stand for; all weights are positive. Immutable.
 */
public final class SortedKeys {
    private final KeyRuns keys;

    /** Which of the keys is the smallest, the next and so on; empty if they came in order. */
    private int[] order = new int[0];

    /** The weight of all keys before each place, and behind the last one of all. */
    private final long[] weightsBefore;

    private int size;
    private long maxWeight;

    /**
     * @param keys nothing is added to them any more
     */
    SortedKeys(KeyRuns keys) {
        this.keys = keys;
        if (keys.isSorted()) {
            weightsBefore = keys.weightsBefore();
            size = keys.count();
            maxWeight = keys.maxWeight();
        } else {
            order = new int[keys.count()];
            for (int i = 0; i < order.length; i++) {
                order[i] = i;
            }
            weightsBefore = new long[order.length + 1];
            mergeRuns(keys.runs());
            unite();
        }
    }

    public int size() {
        return size;
    }

    /** A copy of the key at a place of the order. */
    public byte[] key(int place) {
        return keys.key(order.length == 0 ? place : order[place]);
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

    /** Bottom-up merge sort that starts from the ascending runs. */
    private void mergeRuns(int[] runs) {
        int count = order.length;
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
                    keys.compare(order[left], order[right]) <= 0 ? order[left++] : order[right++];
        }
        System.arraycopy(order, left, merged, out, middle - left);
        System.arraycopy(order, right, merged, out + middle - left, to - right);
    }

    /** Makes one of equal keys, and none of those without weight. */
    private void unite() {
        for (int key : order) {
            long weight = keys.weight(key);
            if (weight <= 0) {
                continue;
            }
            if (size > 0 && keys.compare(order[size - 1], key) == 0) {
                addWeight(size - 1, weight(size - 1) + weight);
            } else {
                order[size] = key;
                addWeight(size++, weight);
            }
        }
    }

    /** Sets the weight of a place; those before have theirs. */
    private void addWeight(int place, long weight) {
        weightsBefore[place + 1] = weightsBefore[place] + weight;
        maxWeight = Math.max(maxWeight, weight);
    }
}
