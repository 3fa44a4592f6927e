package dev.penstock.segment;

import dev.penstock.kernel.PackedValues;

/**
 * The packed values of one block, as {@link BlockCursor#packed} finds them: codes, or distances
 * from {@link #base}. The slots of NULLs are among them. Valid until its cursor opens another
 * block; owned by one thread.
 */
public final class PackedBlock {
    private byte[] bytes = new byte[0];
    private int at;
    private int rows;
    private int bits;
    private long base;

    void set(byte[] newBytes, int newAt, int newRows, int newBits, long newBase) {
        bytes = newBytes;
        at = newAt;
        rows = newRows;
        bits = newBits;
        base = newBase;
    }

    /** What is to be added to each packed value; 0 for codes. */
    public long base() {
        return base;
    }

    /** Whether the packed values are narrow enough to be summed. */
    public boolean summable() {
        return bits <= PackedValues.MAX_SUM_BITS;
    }

    /** The sum of the packed values of all rows, without the base. */
    public long sum() {
        return PackedValues.sum(bytes, at, rows, bits);
    }

    /** The sum of the packed values of the rows whose bit is set, without the base. */
    public long sum(long[] selected) {
        return PackedValues.sum(bytes, at, rows, bits, selected);
    }

    /** Whether {@link #select} can be asked. */
    boolean selectable() {
        return bits <= PackedValues.MAX_SELECT_BITS;
    }

    /**
     * Sets bit i to whether the packed value of row i lies in [low, high]; {@code low} is neither
     * negative nor greater.
     */
    void select(long low, long high, long[] out) {
        PackedValues.select(bytes, at, rows, bits, low, high, out);
    }
}
