package dev.penstock.kernel;

/** The smallest and the largest of some ints, as one long. The JVM makes vectors of the loop. */
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

    public static int low(long range) {
        return (int) range;
    }

    public static int high(long range) {
        return (int) (range >> 32);
    }
}
