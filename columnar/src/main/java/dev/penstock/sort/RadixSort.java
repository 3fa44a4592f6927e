package dev.penstock.sort;

import java.util.Arrays;

/**
 * Sorts longs by some of their bits, stably.
 *
 * <p>Many values are first distributed by their highest bits into buckets that fit the cache, which
 * input that consists of sorted runs fills sequentially; each bucket, or all of few values, is then
 * sorted least significant digit first in as few passes as digits of {@link #MAX_DIGIT_BITS} allow.
 * Owned by one thread; results last until the next call.
 */
final class RadixSort {
    private static final int MAX_DIGIT_BITS = 11;
    private static final int MAX_BUCKET_BITS = 10;

    /** About how many values a bucket has: both copies fit the second-level cache. */
    private static final int BUCKET_SHIFT = 13;

    /** Fewer values are not distributed first: they and their copy fit the cache. */
    private static final int MIN_DISTRIBUTED = 3 << 15;

    /** Below it passes cost more than comparisons. */
    private static final int MIN_VALUES = 256;

    /** Values for which the loops over all of them are called once, so that they are compiled. */
    private static final int WINDOW = 1 << 11;

    private long[] other = new long[0];
    private final int[] starts = new int[1 << MAX_DIGIT_BITS];
    private final int[] bounds = new int[(1 << MAX_BUCKET_BITS) + 1];

    /**
     * Sorts {@code values[0 .. count)} by their bits [from, from + bits), above which they are 0;
     * returns the array that is sorted, {@code values} or another one. Equal ones must ascend
     * already by the bits below {@code from}.
     */
    long[] run(long[] values, int count, int from, int bits) {
        if (count < MIN_VALUES || bits == 0) {
            Arrays.sort(values, 0, count);
            return values;
        }
        if (other.length < count) {
            other = new long[values.length];
        }
        int wanted = 32 - Integer.numberOfLeadingZeros((count - 1) >>> BUCKET_SHIFT);
        int most = count < MIN_DISTRIBUTED ? 0 : Math.min(bits, MAX_BUCKET_BITS);
        int top = Math.min(wanted, most);
        int rest = bits - top;
        int passes = (rest + MAX_DIGIT_BITS - 1) / MAX_DIGIT_BITS;
        if (top == 0) {
            passes(values, other, 0, count, from, bits, passes);
            return (passes & 1) == 0 ? values : other;
        }
        int buckets = 1 << top;
        distribute(values, other, count, from + rest, buckets);
        for (int i = 0; i < buckets; i++) {
            bucket(values, bounds[i], bounds[i + 1], from, rest, passes);
        }
        return (passes & 1) == 0 ? other : values;
    }

    /** Moves values to the other array by their bits from {@code shift} on. */
    private void distribute(long[] source, long[] target, int count, int shift, int buckets) {
        int[] next = starts;
        Arrays.fill(next, 0, buckets, 0);
        for (int i = 0; i < count; i += WINDOW) {
            count(source, i, Math.min(count, i + WINDOW), shift, buckets - 1, next);
        }
        int at = 0;
        for (int i = 0; i < buckets; i++) {
            bounds[i] = at;
            at += next[i];
            next[i] = bounds[i];
        }
        bounds[buckets] = at;
        for (int i = 0; i < count; i += WINDOW) {
            move(source, i, Math.min(count, i + WINDOW), shift, buckets - 1, next, target);
        }
    }

    /** Sorts a bucket of the other array. */
    private void bucket(long[] values, int begin, int end, int from, int bits, int passes) {
        if (end - begin >= MIN_VALUES) {
            passes(other, values, begin, end, from, bits, passes);
            return;
        }
        Arrays.sort(other, begin, end);
        if ((passes & 1) != 0) {
            System.arraycopy(other, begin, values, begin, end - begin);
        }
    }

    /** Sorts values [begin, end); the result is in {@code target} if passes are odd. */
    private void passes(
            long[] source, long[] target, int begin, int end, int from, int bits, int passes) {
        long[] now = source;
        long[] then = target;
        int digitBits = passes == 0 ? 0 : (bits + passes - 1) / passes;
        for (int pass = 0; pass < passes; pass++) {
            pass(now, then, begin, end, from + pass * digitBits, (1 << digitBits) - 1);
            long[] swap = now;
            now = then;
            then = swap;
        }
    }

    private void pass(long[] source, long[] target, int begin, int end, int shift, int mask) {
        int[] next = starts;
        Arrays.fill(next, 0, mask + 1, 0);
        for (int i = begin; i < end; i += WINDOW) {
            count(source, i, Math.min(end, i + WINDOW), shift, mask, next);
        }
        int at = begin;
        for (int digit = 0; digit <= mask; digit++) {
            int count = next[digit];
            next[digit] = at;
            at += count;
        }
        for (int i = begin; i < end; i += WINDOW) {
            move(source, i, Math.min(end, i + WINDOW), shift, mask, next, target);
        }
    }

    /** Counts the values [from, to) by a digit. */
    private static void count(long[] values, int from, int to, int shift, int mask, int[] counts) {
        for (int i = from; i < to; i++) {
            counts[(int) (values[i] >>> shift) & mask]++;
        }
    }

    /** Moves the values [from, to), each to the next place of its digit. */
    private static void move(
            long[] values, int from, int to, int shift, int mask, int[] next, long[] target) {
        for (int i = from; i < to; i++) {
            long value = values[i];
            target[next[(int) (value >>> shift) & mask]++] = value;
        }
    }
}
