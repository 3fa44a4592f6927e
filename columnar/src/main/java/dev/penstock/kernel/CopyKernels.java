package dev.penstock.kernel;

/** Copies many short byte ranges. Vector and scalar forms as in {@link ScanKernels}. */
public final class CopyKernels {
    /** Bytes after each range, and after the last target byte, that may be read and overwritten. */
    public static final int SLACK = 64;

    private CopyKernels() {}

    /**
     * Appends fields of {@code text} to {@code data}, one after the other from {@code offsets[row]}
     * on, and enters their ends in {@code offsets[row + 1 ..]}. Field i is {@code text[bounds[k] +
     * 1, bounds[k + 1])} with k = first + i * stride. {@code text} needs {@link #SLACK} readable
     * bytes after each start, {@code data} as many spare ones after the last byte.
     *
     * @return the longest field's length; one's complement of it if there are empty fields
     */
    public static int gather(
            byte[] text,
            int[] bounds,
            int first,
            int stride,
            int count,
            byte[] data,
            int[] offsets,
            int row) {
        return KernelSelection.vector()
                ? VectorCopy.gather(text, bounds, first, stride, count, data, offsets, row)
                : ScalarCopy.gather(text, bounds, first, stride, count, data, offsets, row);
    }

    /** Bytes of all fields together. */
    public static long totalLength(int[] bounds, int first, int stride, int count) {
        long total = 0;
        int k = first;
        for (int i = 0; i < count; i++) {
            total += bounds[k + 1] - bounds[k] - 1;
            k += stride;
        }
        return total;
    }
}
