package dev.penstock.convert;

import dev.penstock.kernel.CopyKernels;
import dev.penstock.kernel.IntRange;

/**
 * Where one field of many rows lies: value i is {@code text[before[i] + 1, end[i])}; what lies
 * before it is a delimiter, most often. A view, set anew for each window and column; owned by one
 * thread.
 *
 * <p>{@link #READ_AHEAD} bytes after the start of each value are readable.
 */
public final class FieldBounds {
    /** Bytes that must be readable from each value's start on, and after the end of the last. */
    public static final int READ_AHEAD = 64;

    private byte[] text = new byte[0];
    private int[] before = new int[0];
    private int[] end = new int[0];
    private int count;
    private int shortest;
    private int longest;

    // What the values of all fields lie in, and whether that is known to be UTF-8 or not.
    private byte[] source = new byte[0];
    private int sourceFrom;
    private int sourceTo;
    private boolean checked = true;
    private boolean valid;

    /**
     * Begins with fields of {@code newSource[from, to)}: whole records.
     *
     * @param ascii whether these are known to have ASCII characters only
     */
    public void begin(byte[] newSource, int from, int to, boolean ascii) {
        source = newSource;
        sourceFrom = from;
        sourceTo = to;
        checked = ascii;
        valid = ascii;
    }

    /**
     * Whether the records are UTF-8 from their first byte to their last. Then all values are,
     * because what lies between them, or is left out of them, are ASCII characters. Found out once
     * for all fields.
     */
    boolean inValidText() {
        if (!checked) {
            checked = true;
            valid = Utf8.firstInvalid(source, sourceFrom, sourceTo) < 0;
        }
        return valid;
    }

    /**
     * @param lengths what {@link CopyKernels#lengths} answers for the fields
     */
    public void set(byte[] newText, int[] newBefore, int[] newEnd, int newCount, long lengths) {
        text = newText;
        before = newBefore;
        end = newEnd;
        count = newCount;
        shortest = IntRange.low(lengths);
        longest = IntRange.high(lengths);
    }

    public byte[] text() {
        return text;
    }

    int[] before() {
        return before;
    }

    int[] end() {
        return end;
    }

    public int count() {
        return count;
    }

    /** Length of the shortest value. */
    int shortest() {
        return shortest;
    }

    /** Length of the longest value. */
    int longest() {
        return longest;
    }

    public int start(int i) {
        return before[i] + 1;
    }

    public int length(int i) {
        return end[i] - before[i] - 1;
    }
}
