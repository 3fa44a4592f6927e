package dev.penstock.kernel;

/** Copies many short byte ranges. Vector and scalar forms as in {@link ScanKernels}. */
public final class CopyKernels {
    /** Bytes after each range, and after the last target byte, that may be read and overwritten. */
    public static final int SLACK = 64;

    private CopyKernels() {}

    /**
     * Appends ranges of {@code text} to {@code data}, one after the other from {@code offsets[row]}
     * on, and enters their ends in {@code offsets[row + 1 ..]}. {@code text} needs {@link #SLACK}
     * readable bytes after each start, {@code data} as many spare ones after the last byte.
     */
    public static void gather(
            byte[] text,
            int[] starts,
            int[] lengths,
            int count,
            byte[] data,
            int[] offsets,
            int row) {
        if (KernelSelection.VECTOR) {
            VectorCopy.gather(text, starts, lengths, count, data, offsets, row);
        } else {
            ScalarCopy.gather(text, starts, lengths, count, data, offsets, row);
        }
    }
}
