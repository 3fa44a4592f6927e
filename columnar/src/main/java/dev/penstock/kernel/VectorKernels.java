package dev.penstock.kernel;

import java.util.function.Consumer;

/**
 * When the vector kernels run that save little of each value beside what their compilation costs:
 * all but those that find bytes in text ({@link ScanKernels}) and those of reads ({@link
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

    /**
     * Whether vector kernels copy the positions of rows to columns. They need one instruction for
     * the elements of two vectors, which processors without vectors of 512 bits do not have.
     */
    static boolean transpose() {
        return AVAILABLE && numbers();
    }

    /** Whether vector kernels read numbers. These are not counted: other kernels will see them. */
    static boolean numbers() {
        return KernelSelection.vector() && LATE.ready();
    }

    /** Whether vector kernels convert the next fields of a text. */
    static boolean convert(int count) {
        return KernelSelection.vector() && LATE.run(count);
    }
}
