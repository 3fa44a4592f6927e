package dev.penstock.kernel;

import java.util.function.Consumer;

/**
 * When the vector kernels run that save little of each value beside what their compilation costs:
 * all but those that find delimiters ({@link ScanKernels}) and those of reads ({@link
 * QueryVectors}). Usually from the start; who postpones them ({@link LateKernels}) has scalar loops
 * go over many values first.
 */
final class VectorKernels {
    /** Whether the 512-bit forms of packing and gathering can run; see {@link KernelSelection}. */
    static final boolean AVAILABLE = KernelSelection.VECTOR_BYTES == 64;

    private static final LateKernels LATE =
            new LateKernels(KernelSelection.VECTOR, () -> new KernelRehearsal().run());

    private VectorKernels() {}

    /** Has scalar loops go over so many values first, unless that has been asked for before. */
    static void postpone(long values, Consumer<Runnable> background) {
        LATE.postpone(values, background);
    }

    /** Has them take over, if they have been postponed and have not. */
    static void now() {
        LATE.now();
    }

    /** Whether vector kernels pack, unpack, gather or hash the next values. */
    static boolean pack(int count) {
        return AVAILABLE && LATE.run(count);
    }

    /** Whether vector kernels copy the positions of the next rows to columns. */
    static boolean transpose(int count) {
        return AVAILABLE && convert(count);
    }

    /** Whether vector kernels convert the next fields of a text. */
    static boolean convert(int count) {
        return KernelSelection.vector() && LATE.run(count);
    }
}
