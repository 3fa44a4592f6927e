package dev.penstock.convert;

/**
 * Where one field of many rows lies: value i is {@code text[bounds[k] + 1, bounds[k + 1])} with k =
 * first + i * stride. So the positions of delimiters, in which each value's end is the next one's
 * begin, serve as they are. A view, set anew for each window and column; owned by one thread.
 *
 * <p>{@link #READ_AHEAD} bytes after the start of each value are readable.
 */
public final class FieldBounds {
    /** Bytes that must be readable from each value's start on, and after the end of the last. */
    public static final int READ_AHEAD = 64;

    private byte[] text = new byte[0];
    private int[] bounds = new int[0];
    private int first;
    private int stride;
    private int count;

    public void set(byte[] newText, int[] newBounds, int newFirst, int newStride, int newCount) {
        text = newText;
        bounds = newBounds;
        first = newFirst;
        stride = newStride;
        count = newCount;
    }

    public byte[] text() {
        return text;
    }

    int[] bounds() {
        return bounds;
    }

    int first() {
        return first;
    }

    int stride() {
        return stride;
    }

    public int count() {
        return count;
    }

    public int start(int i) {
        return bounds[first + i * stride] + 1;
    }

    public int length(int i) {
        return bounds[first + i * stride + 1] - bounds[first + i * stride] - 1;
    }
}
