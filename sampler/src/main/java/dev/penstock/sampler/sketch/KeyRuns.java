package dev.penstock.sampler.sketch;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;

import java.util.Arrays;

/**
 * Keys as they come, and what it takes to put them in order: where ascending runs start, and how
 * much all keys before one weigh. It is found out key by key as they are added, so that of an input
 * in order nothing is left to do at the end, which would be done in code that is not compiled yet.
 *
 * <p>Owned by one thread. {@link SortedKeys} read the arrays of one that nothing is added to any
 * more.
 */
final class KeyRuns {
    private static final int USUAL_KEY_BYTES = 16;
    private static final int FIRST_RUNS = 8;

    private final ByteBuilder bytes;
    private int[] ends;
    private long[] heads;
    private long[] weightsBefore;
    private int[] runs = new int[FIRST_RUNS];
    private int count;
    private int runCount;
    private boolean sorted = true;
    private long maxWeight;

    /** With room for so many keys; it grows. */
    KeyRuns(int keys) {
        bytes = new ByteBuilder(keys * USUAL_KEY_BYTES);
        ends = new int[keys];
        heads = new long[keys];
        weightsBefore = new long[keys + 1];
    }

    /**
     * Adds keys [from, to) of those that lie one after another.
     *
     * @param source key i is {@code source[newEnds[i - 1] .. newEnds[i])}, the first from 0 on
     * @param weights of each, 0 or more
     * @return whether none of them is less than the one before it
     */
    boolean addAll(byte[] source, int[] newEnds, int[] weights, int from, int to) {
        if (from >= to) {
            return true;
        }
        ensureRoom(to - from);
        int start = from == 0 ? 0 : newEnds[from - 1];
        int shift = bytes.length() - start;
        bytes.write(source, start, newEnds[to - 1] - start);
        int runsBefore = runCount;
        for (int i = from; i < to; i++) {
            enter(newEnds[i] + shift, weights[i]);
        }
        // That the first one is less than the last one before these says nothing of them.
        return runCount == runsBefore
                || runCount == runsBefore + 1 && runs[runsBefore] == count - (to - from);
    }

    /** Adds one key, {@code source[from, to)}. */
    void add(byte[] source, int from, int to, int weight) {
        ensureRoom(1);
        bytes.write(source, from, to - from);
        enter(bytes.length(), weight);
    }

    private void enter(int end, int weight) {
        int key = count;
        int start = start(key);
        ends[key] = end;
        heads[key] = head(start, end);
        int fromBefore = key == 0 ? -1 : compare(key, key - 1);
        if (fromBefore < 0) {
            beginRun(key);
        }
        sorted &= (fromBefore > 0 || key == 0) && weight > 0;
        weightsBefore[key + 1] = weightsBefore[key] + weight;
        maxWeight = Math.max(maxWeight, weight);
        count = key + 1;
    }

    private void beginRun(int key) {
        if (runCount == runs.length) {
            runs = Arrays.copyOf(runs, 2 * runCount);
        }
        runs[runCount++] = key;
    }

    private void ensureRoom(int more) {
        if (count + more > ends.length) {
            int room = Math.max(count + more, 2 * count);
            ends = Arrays.copyOf(ends, room);
            heads = Arrays.copyOf(heads, room);
            weightsBefore = Arrays.copyOf(weightsBefore, room + 1);
        }
    }

    /** The first eight bytes as a number whose order is that of the bytes. */
    private long head(int from, int to) {
        long head = 0;
        if (to - from >= 8) {
            head = ByteAccess.getLongBigEndian(bytes.array(), from);
        } else {
            for (int i = 0; i < to - from; i++) {
                head |= (bytes.array()[from + i] & 0xFFL) << (56 - 8 * i);
            }
        }
        return head ^ Long.MIN_VALUE;
    }

    int compare(int left, int right) {
        int byHead = Long.compare(heads[left], heads[right]);
        return byHead != 0
                ? byHead
                : ByteAccess.compare(
                        bytes.array(),
                        start(left),
                        ends[left],
                        bytes.array(),
                        start(right),
                        ends[right]);
    }

    int count() {
        return count;
    }

    /** Whether the keys are one run, each once and with a weight. */
    boolean isSorted() {
        return sorted;
    }

    /** Where the ascending runs start, and the last one ends. */
    int[] runs() {
        int[] all = Arrays.copyOf(runs, runCount + 1);
        all[runCount] = count;
        return all;
    }

    /** A copy of a key. */
    byte[] key(int key) {
        return Arrays.copyOfRange(bytes.array(), start(key), ends[key]);
    }

    long weight(int key) {
        return weightsBefore[key + 1] - weightsBefore[key];
    }

    /** The weight of all keys before each, and behind the last one of all; more elements follow. */
    long[] weightsBefore() {
        return weightsBefore;
    }

    long totalWeight() {
        return weightsBefore[count];
    }

    /** No single key as it came has more. */
    long maxWeight() {
        return maxWeight;
    }

    long keyBytes() {
        return bytes.length();
    }

    /** Bytes of all arrays. */
    long roomBytes() {
        return bytes.array().length
                + (long) Integer.BYTES * (ends.length + runs.length)
                + (long) Long.BYTES * (heads.length + weightsBefore.length);
    }

    private int start(int key) {
        return key == 0 ? 0 : ends[key - 1];
    }
}
