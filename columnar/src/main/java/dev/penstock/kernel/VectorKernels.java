package dev.penstock.kernel;

/** Whether the 512-bit forms of bit unpacking run; see {@link KernelSelection}. */
final class VectorKernels {
    static final boolean AVAILABLE = KernelSelection.VECTOR_BYTES == 64;

    private VectorKernels() {}
}
