package dev.penstock.dict;

import java.util.Arrays;

/**
 * Byte strings as codes of one {@link TokenTable}: row r is {@code codes[offsets[r] .. offsets[r +
 * 1])}. Owned by one thread; keeps its capacity.
 */
public final class TokenColumn {
    private int[] offsets = new int[1];
    private int[] codes = new int[0];

    /** Row starts and the last row's end; {@code offsets()[0]} is 0. */
    public int[] offsets() {
        return offsets;
    }

    public int[] codes() {
        return codes;
    }

    /** Makes room for {@code rowCount} rows in all, keeping what is there. */
    public void ensureRows(int rowCount) {
        if (offsets.length < rowCount + 1) {
            offsets = Arrays.copyOf(offsets, Math.max(rowCount + 1, offsets.length * 3 / 2));
        }
    }

    /** Replaces the rows of another column by {@code rows} rows of this one. */
    public void copyTo(int from, int rows, TokenColumn target) {
        int start = offsets[from];
        int count = offsets[from + rows] - start;
        target.ensureRows(rows);
        target.ensureCodes(count);
        for (int i = 1; i <= rows; i++) {
            target.offsets[i] = offsets[from + i] - start;
        }
        System.arraycopy(codes, start, target.codes, 0, count);
    }

    /**
     * Puts rows without codes where NULLs are.
     *
     * @param values rows that there are, none of them NULL
     * @param rows that there will be, those of {@code words} from bit {@code from} on
     */
    public void insertNulls(int values, int rows, long[] words, int from) {
        ensureRows(rows);
        int next = values;
        for (int i = rows; i > 0; i--) {
            int row = from + i - 1;
            offsets[i] = offsets[next];
            next -= (int) (words[row >> 6] >>> row) & 1;
        }
    }

    /** Makes room for {@code codeCount} codes in all, keeping what is there. */
    public void ensureCodes(long codeCount) {
        if (codes.length < codeCount) {
            codes = Arrays.copyOf(codes, capacity(codes.length, codeCount));
        }
    }

    /** The length of an array that had {@code length} and is to have room for so many codes. */
    static int capacity(int length, long codeCount) {
        if (codeCount > Integer.MAX_VALUE - 64) {
            throw new IllegalStateException("a column would need " + codeCount + " codes");
        }
        long grown = Math.max(codeCount, length + (length >> 1));
        return (int) Math.min(grown, Integer.MAX_VALUE - 64);
    }
}
