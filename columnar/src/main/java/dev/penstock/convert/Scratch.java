package dev.penstock.convert;

/** Memory of a kernel for one window's rows, kept from window to window. Owned by one thread. */
final class Scratch {
    private int[] indexes = new int[0];
    private long[] words = new long[0];

    void ensure(int rows) {
        if (indexes.length < rows) {
            indexes = new int[rows];
            words = new long[rows];
        }
    }

    int[] indexes() {
        return indexes;
    }

    long[] words() {
        return words;
    }
}
