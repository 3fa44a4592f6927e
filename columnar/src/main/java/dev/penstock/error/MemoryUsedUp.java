package dev.penstock.error;

/** Words for the end of this process's memory. */
public final class MemoryUsedUp {
    private MemoryUsedUp() {}

    /** Whether it is of what Java keeps, not of the threads that the system allows. */
    public static boolean isHeap(OutOfMemoryError failure) {
        return !String.valueOf(failure.getMessage()).contains("native thread");
    }

    /** It as the failure of one thing, where the process goes on. */
    public static PenstockException failure(OutOfMemoryError failure) {
        return new PenstockException(ErrorCategory.INTERNAL, says(failure), failure);
    }

    /** A sentence that says how much there was and how to give more. */
    public static String says(OutOfMemoryError failure) {
        if (!isHeap(failure)) {
            return "The system allows this process no more threads: " + failure.getMessage() + ".";
        }
        return "Memory is used up ("
                + failure.getMessage()
                + "): the heap may have "
                + (Runtime.getRuntime().maxMemory() >> 20)
                + " MiB. Give it more with PENSTOCK_HEAP.";
    }
}
