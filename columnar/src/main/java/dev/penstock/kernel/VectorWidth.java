package dev.penstock.kernel;

import jdk.incubator.vector.VectorShape;

/** What vector this JVM prefers; loaded only where the vector module is. */
final class VectorWidth {
    private VectorWidth() {}

    static int preferredBits() {
        return VectorShape.preferredShape().vectorBitSize();
    }
}
