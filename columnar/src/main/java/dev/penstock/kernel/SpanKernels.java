package dev.penstock.kernel;

/**
 * Values held once for each span of rows, written once for each row. {@code spanOf} has each row's
 * span; value 0 of a source is that of span {@code firstSpan}.
 */
public final class SpanKernels {
    private SpanKernels() {}

    /** {@code target[i]} becomes the number of row {@code from + i}. */
    public static void spread(
            long[] source, int firstSpan, int[] spanOf, int from, int count, long[] target) {
        for (int i = 0; i < count; i++) {
            target[i] = source[spanOf[from + i] - firstSpan];
        }
    }

    /** The same of ints. */
    public static void spread(
            int[] source, int firstSpan, int[] spanOf, int from, int count, int[] target) {
        for (int i = 0; i < count; i++) {
            target[i] = source[spanOf[from + i] - firstSpan];
        }
    }

    /**
     * {@code target[i]} becomes the span of row {@code from + i}, counted from {@code firstSpan}.
     */
    public static void places(int[] spanOf, int firstSpan, int from, int count, int[] target) {
        for (int i = 0; i < count; i++) {
            target[i] = spanOf[from + i] - firstSpan;
        }
    }

    /**
     * Bit i of {@code target} becomes that of row {@code from + i}, of which {@code source} has one
     * for each span from 0 on; bits behind the last row of the last word may be any. A row's bit
     * differs from that of the row before where a span starts whose bit does, so the differences
     * are brought to where spans start, and bits are the parity of the differences before them.
     *
     * @param heads bit i of {@code heads} is 1 if a span starts at row i
     */
    public static void spreadBits(
            long[] source, long[] heads, int[] spanOf, int from, int count, long[] target) {
        long before = 0;
        int next = spanOf[from];
        int last = 64 * source.length - 1;
        for (int done = 0; done < count; done += 64) {
            long starts = BitRange.word(heads, from + done) | (done == 0 ? 1 : 0);
            long bits = BitRange.word(source, Math.min(next, last));
            long changes = Long.expand(bits ^ (bits << 1 | before), starts);
            long word = BitRange.parity(changes) ^ -before;
            target[done >> 6] = word;
            before = word >>> 63;
            next += Long.bitCount(starts);
        }
    }

    /** Bytes of rows whose strings are held once for each of the spans [firstSpan, endSpan). */
    public static long bytes(
            int[] offsets, int[] starts, int firstSpan, int endSpan, int from, int to) {
        long bytes = 0;
        for (int span = firstSpan; span < endSpan; span++) {
            int rows = Math.min(to, starts[span + 1]) - Math.max(from, starts[span]);
            bytes += (long) (offsets[span + 1] - offsets[span]) * rows;
        }
        return bytes;
    }

    /**
     * The sum of the hashes of rows [from, to), each as often as its span has rows among them.
     *
     * @param hashes of {@code count} spans from {@code firstSpan} on
     */
    public static long sum(
            long[] hashes, int count, int[] starts, int firstSpan, int from, int to) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            int span = firstSpan + i;
            int rows = Math.min(to, starts[span + 1]) - Math.max(from, starts[span]);
            sum += hashes[i] * rows;
        }
        return sum;
    }
}
