package dev.penstock.error;

/** Words for the end of this process's memory. */
public final class MemoryUsedUp {
    private MemoryUsedUp() {}

    /** A sentence that says how much there was and how to give more. */
    public static String says(OutOfMemoryError failure) {
        return "Memory is used up ("
                + failure.getMessage()
                + "): the heap may have "
                + (Runtime.getRuntime().maxMemory() >> 20)
                + " MiB. Give it more with PENSTOCK_HEAP.";
    }
}
