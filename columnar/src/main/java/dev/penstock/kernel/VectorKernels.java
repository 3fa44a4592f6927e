package dev.penstock.kernel;

/**
 * Whether the 512-bit forms of the kernels of this package are worth calling: the vector module is
 * there and the preferred vector has 64 bytes. Asked without touching the module's classes, so that
 * a JVM started without it runs the scalar forms.
 */
final class VectorKernels {
    /** {@code -Dpenstock.vector=false} turns the vector forms off. */
    static final boolean AVAILABLE =
            !"false".equals(System.getProperty("penstock.vector"))
                    && ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
                    && VectorBitPacking.preferredBytes() == 64;

    private VectorKernels() {}
}
