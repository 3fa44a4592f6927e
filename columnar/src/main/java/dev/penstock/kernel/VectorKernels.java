package dev.penstock.kernel;

/**
 * When the vector kernels run that save little of each value beside what their compilation costs:
 * all but those that find delimiters ({@link ScanKernels}) and those of reads ({@link
 * QueryVectors}). Usually from the start; who postpones them has scalar loops go over so many
 * values first.
 */
final class VectorKernels {
    /** Whether the 512-bit forms of packing and gathering can run; see {@link KernelSelection}. */
    static final boolean AVAILABLE = KernelSelection.VECTOR_BYTES == 64;

    /** Values that scalar loops still go over first; racing threads may lose counts. */
    private static long scalarValues;

    private VectorKernels() {}

    /** Lets scalar loops go over so many values before vector kernels take over. */
    static void postpone(long values) {
        scalarValues = values;
    }

    /** Whether vector kernels pack, unpack, gather or hash the next values. */
    static boolean pack(int count) {
        return AVAILABLE && takeOver(count);
    }

    /** Whether vector kernels convert the next fields of a text. */
    static boolean convert(int count) {
        return KernelSelection.vector() && takeOver(count);
    }

    private static boolean takeOver(int count) {
        long left = scalarValues;
        if (left > 0) {
            scalarValues = left - count;
        }
        return left <= 0;
    }
}
