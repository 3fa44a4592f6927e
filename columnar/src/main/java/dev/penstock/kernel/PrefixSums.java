package dev.penstock.kernel;

/**
 * Sums of all numbers up to each: they make places of lengths. Takes a window at a time, so that
 * the loop is called, and thus compiled, soon.
 */
public final class PrefixSums {
    private static final int WINDOW = 512;

    private PrefixSums() {}

    /**
     * Each of {@code values[from .. from + count)} becomes the sum of it and what the one before
     * has become; {@code values[from - 1]} is where the sums begin, and stays. They wrap around.
     */
    public static void run(int[] values, int from, int count) {
        int end = from + count;
        for (int at = from; at < end; at += WINDOW) {
            runWindow(values, at, Math.min(end, at + WINDOW));
        }
    }

    private static void runWindow(int[] values, int from, int to) {
        int sum = values[from - 1];
        for (int i = from; i < to; i++) {
            sum += values[i];
            values[i] = sum;
        }
    }
}
