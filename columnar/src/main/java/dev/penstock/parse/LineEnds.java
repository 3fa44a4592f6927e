package dev.penstock.parse;

/** Searches for line feeds, a byte at a time: for where few bytes lie between them. */
public final class LineEnds {
    private LineEnds() {}

    /** Position after the first line feed in {@code text[from, to)}, or -1. */
    public static int first(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    /** Position after the last line feed in {@code text[from, to)}, or -1. */
    public static int last(byte[] text, int from, int to) {
        for (int i = to; i > from; i--) {
            if (text[i - 1] == '\n') {
                return i;
            }
        }
        return -1;
    }
}
