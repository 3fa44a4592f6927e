package dev.penstock.kernel;

/** Whether the 512-bit forms of bit packing run; see {@link KernelSelection}. */
final class VectorKernels {
    static final boolean AVAILABLE = KernelSelection.VECTOR_BYTES == 64;

    /** Values that scalar loops still pack and unpack first; racing threads may lose counts. */
    private static long scalarValues;

    private VectorKernels() {}

    /** Lets scalar loops pack and unpack so many values before vector kernels take over. */
    static void postpone(long values) {
        scalarValues = values;
    }

    /** Whether vector kernels pack or unpack the next values. */
    static boolean pack(int count) {
        if (!AVAILABLE) {
            return false;
        }
        long left = scalarValues;
        if (left > 0) {
            scalarValues = left - count;
        }
        return left <= 0;
    }
}
