package dev.penstock.convert;

/** What a kernel keeps from window to window. Owned by one thread. */
final class Scratch {
    private long[] words = new long[0];
    private boolean longer;

    void ensure(int rows) {
        if (words.length < rows) {
            words = new long[rows];
        }
    }

    /** A word for each row. */
    long[] words() {
        return words;
    }

    /** Whether the column has had values of more than a word. */
    boolean longer() {
        return longer;
    }

    void setLonger() {
        longer = true;
    }
}
