package dev.penstock.convert;

/** Memory of a kernel for one window's rows, kept from window to window. Owned by one thread. */
final class Scratch {
    private long[] words = new long[0];

    void ensure(int rows) {
        if (words.length < rows) {
            words = new long[rows];
        }
    }

    /** A word for each row. */
    long[] words() {
        return words;
    }
}
