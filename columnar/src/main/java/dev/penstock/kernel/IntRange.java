package dev.penstock.kernel;

/** The smallest and the largest of some ints, as one long. The JVM makes vectors of the loops. */
public final class IntRange {
    private IntRange() {}

    /** The range of {@code values[from .. from + count)}; of none, a low above its high. */
    public static long of(int[] values, int from, int count) {
        int low = Integer.MAX_VALUE;
        int high = Integer.MIN_VALUE;
        for (int i = from; i < from + count; i++) {
            low = Math.min(low, values[i]);
            high = Math.max(high, values[i]);
        }
        return (long) high << 32 | low & 0xFFFFFFFFL;
    }

    /**
     * Sets {@code out[i]} to {@code values[from + i] - values[from]} for i in [0, count), of which
     * there is at least one. Returns whether all of these, wrapped around, are ints; if not, what
     * is in {@code out} means nothing.
     */
    public static boolean distances(long[] values, int from, int count, int[] out) {
        long first = values[from];
        long more = 0;
        for (int i = 0; i < count; i++) {
            long distance = values[from + i] - first;
            out[i] = (int) distance;
            more |= distance ^ (int) distance;
        }
        return more == 0;
    }

    public static int low(long range) {
        return (int) range;
    }

    public static int high(long range) {
        return (int) (range >> 32);
    }
}
