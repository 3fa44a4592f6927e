package dev.penstock.segment;

import dev.penstock.batch.Validity;
import dev.penstock.kernel.Multiples;
import dev.penstock.kernel.NullGaps;
import dev.penstock.kernel.PackedValues;

/**
 * The packed values of one block, as {@link BlockCursor#packed} finds them: codes, or distances
 * from the smallest value, or from the smallest number where a scale makes values of numbers. NULLs
 * have none. Valid until its cursor opens another block; owned by one thread.
 */
public final class PackedBlock {
    private byte[] bytes = new byte[0];
    private int at;
    private int count;
    private int rows;

    /** Which rows are not NULL; empty: all. */
    private long[] validity = Validity.NO_WORDS;

    /** Of values, while others are of rows. */
    private long[] bitsOfValues = Validity.NO_WORDS;

    private int bits;
    private long base;
    private byte encoding;
    private int scale;

    void set(byte[] newBytes, int newAt, int newCount, int newBits, long newBase) {
        bytes = newBytes;
        at = newAt;
        count = newCount;
        bits = newBits;
        base = newBase;
    }

    void setScale(byte newEncoding, int newScale) {
        encoding = newEncoding;
        scale = newScale;
    }

    void setRows(int newRows, long[] newValidity) {
        rows = newRows;
        validity = newValidity;
        if (validity.length > bitsOfValues.length) {
            bitsOfValues = new long[validity.length];
        }
    }

    /** The value that the packed value 0 stands for; 0 for codes. */
    public long base() {
        return Scale.isScaled(encoding) ? Scale.value(encoding, scale, base) : base;
    }

    /**
     * How far values are from each other whose packed values are neighbours, if {@link #summable}.
     */
    public long space() {
        return encoding == SegmentFormat.BLOCK_MULTIPLES ? Multiples.divisor(scale) : 1;
    }

    /** Whether the packed values are narrow enough to be summed, and evenly spaced. */
    public boolean summable() {
        return bits <= PackedValues.MAX_SUM_BITS && encoding != SegmentFormat.BLOCK_DECIMALS;
    }

    /** The sum of the packed values, without the base. */
    public long sum() {
        return PackedValues.sum(bytes, at, count, bits);
    }

    /** The sum of the packed values of the rows whose bit is set, without the base. */
    public long sum(long[] selected) {
        if (validity.length == 0) {
            return PackedValues.sum(bytes, at, count, bits, selected);
        }
        NullGaps.closeBits(selected, rows, validity, bitsOfValues);
        return PackedValues.sum(bytes, at, count, bits, bitsOfValues);
    }

    /** Whether {@link #select} can be asked. */
    boolean selectable() {
        return bits <= PackedValues.MAX_SELECT_BITS;
    }

    /**
     * The least packed value whose value is not below another one, if they are distances: more than
     * the greatest one if there is none, and maybe negative if they are not scaled.
     */
    long firstAtLeast(long value) {
        return Scale.isScaled(encoding)
                ? Scale.firstAtLeast(encoding, scale, base, bits, value)
                : value - base;
    }

    /**
     * Sets bit i to whether row i has a packed value that lies in [low, high]; {@code low} is
     * neither negative nor greater.
     */
    void select(long low, long high, long[] out) {
        if (validity.length == 0) {
            PackedValues.select(bytes, at, count, bits, low, high, out);
        } else {
            PackedValues.select(bytes, at, count, bits, low, high, bitsOfValues);
            NullGaps.openBits(bitsOfValues, rows, validity, out);
        }
    }
}
