package dev.penstock.kernel;

import java.util.Arrays;

/**
 * Aggregates by group: row i belongs to group {@code ids[i]}. Counts and sums have {@link #LANES}
 * partial values a group, at {@code LANES * id}, taken in turn: rows of the same group follow each
 * other often, and an addition to memory waits for the one before it. Whoever reads them adds them
 * up.
 */
public final class GroupKernels {
    public static final int LANES = 4;

    private GroupKernels() {}

    /** A group's count or sum. */
    public static long total(long[] partial, int group) {
        long total = 0;
        for (int lane = 0; lane < LANES; lane++) {
            total += partial[LANES * group + lane];
        }
        return total;
    }

    /** The same counts or sums, maybe copied, with room for so many groups. */
    public static long[] withRoom(long[] partial, int groups) {
        return partial.length >= LANES * groups
                ? partial
                : Arrays.copyOf(partial, Math.max(LANES * groups, 2 * partial.length));
    }

    /** Gives the rows whose bit is not set the group {@code other}. */
    public static void mask(int[] ids, int rows, long[] selected, int other) {
        for (int start = 0; start < rows; start += 64) {
            long word = selected[start >> 6];
            int end = Math.min(64, rows - start);
            for (int i = 0; i < end; i++) {
                ids[start + i] = (word >>> i & 1) != 0 ? ids[start + i] : other;
            }
        }
    }

    /** Sets bit i to whether row i belongs to the group; bits beyond the rows become 0. */
    public static void select(int[] ids, int rows, int group, long[] out) {
        int done = QueryVectors.run(rows) ? VectorGroups.select(ids, rows, group, out) : 0;
        selectScalar(ids, done, rows, group, out);
    }

    /** From a multiple of 64 rows on. */
    static void selectScalar(int[] ids, int from, int rows, int group, long[] out) {
        for (int start = from; start < rows; start += 64) {
            long word = 0;
            int end = Math.min(64, rows - start);
            for (int i = 0; i < end; i++) {
                word |= (ids[start + i] == group ? 1L : 0) << i;
            }
            out[start >> 6] = word;
        }
    }

    /** Adds to each group its rows. */
    public static void count(int[] ids, int rows, long[] counts) {
        int whole = rows & -LANES;
        for (int i = 0; i < whole; i += LANES) {
            counts[LANES * ids[i]]++;
            counts[LANES * ids[i + 1] + 1]++;
            counts[LANES * ids[i + 2] + 2]++;
            counts[LANES * ids[i + 3] + 3]++;
        }
        for (int i = whole; i < rows; i++) {
            counts[LANES * ids[i]]++;
        }
    }

    /** Adds to each group its values; the caller knows that no sum overflows. */
    public static void sum(int[] ids, int rows, long[] values, long[] sums) {
        int whole = rows & -LANES;
        for (int i = 0; i < whole; i += LANES) {
            sums[LANES * ids[i]] += values[i];
            sums[LANES * ids[i + 1] + 1] += values[i + 1];
            sums[LANES * ids[i + 2] + 2] += values[i + 2];
            sums[LANES * ids[i + 3] + 3] += values[i + 3];
        }
        for (int i = whole; i < rows; i++) {
            sums[LANES * ids[i]] += values[i];
        }
    }

    /** The sum of values that does not overflow. */
    public static long sum(long[] values, int rows) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += values[i];
        }
        return sum;
    }

    /** Lowers each group's minimum to that of its values. */
    public static void min(int[] ids, int rows, long[] values, long[] mins) {
        for (int i = 0; i < rows; i++) {
            int id = ids[i];
            if (values[i] < mins[id]) {
                mins[id] = values[i];
            }
        }
    }

    /** Raises each group's maximum to that of its values. */
    public static void max(int[] ids, int rows, long[] values, long[] maxs) {
        for (int i = 0; i < rows; i++) {
            int id = ids[i];
            if (values[i] > maxs[id]) {
                maxs[id] = values[i];
            }
        }
    }

    /** The smallest of the values; {@code Long.MAX_VALUE} if there are none. */
    public static long min(long[] values, int rows) {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < rows; i++) {
            min = Math.min(min, values[i]);
        }
        return min;
    }

    /** The greatest of the values; {@code Long.MIN_VALUE} if there are none. */
    public static long max(long[] values, int rows) {
        long max = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            max = Math.max(max, values[i]);
        }
        return max;
    }
}
