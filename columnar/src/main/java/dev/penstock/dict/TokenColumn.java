package dev.penstock.dict;

import java.util.Arrays;

/**
 * Byte strings as codes of one {@link TokenTable}: row r is {@code codes[offsets[r] .. offsets[r +
 * 1])}. Owned by one thread; keeps its capacity.
 */
public final class TokenColumn {
    /** Codes that are copied at once, however few a row has. */
    private static final int COPIED = 8;

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
     * Appends the rows {@code order[0 .. rows)} of this column to another, after row {@code to}.
     */
    public void gather(int[] order, int rows, TokenColumn target, int to) {
        target.ensureRows(to + rows);
        int[] ends = target.offsets;
        long total = ends[to];
        for (int i = 0; i < rows; i++) {
            total += offsets[order[i] + 1] - offsets[order[i]];
        }
        target.ensureCodes(total + COPIED);
        int[] out = target.codes;
        int last = codes.length - COPIED;
        int position = ends[to];
        for (int i = 0; i < rows; i++) {
            int start = offsets[order[i]];
            int count = offsets[order[i] + 1] - start;
            if (count <= COPIED && start <= last) {
                copyEight(codes, start, out, position);
            } else {
                System.arraycopy(codes, start, out, position, count);
            }
            position += count;
            ends[to + i + 1] = position;
        }
    }

    /** Rows have few codes each, and a loop over them is left too early to be foreseen. */
    private static void copyEight(int[] source, int from, int[] target, int to) {
        target[to] = source[from];
        target[to + 1] = source[from + 1];
        target[to + 2] = source[from + 2];
        target[to + 3] = source[from + 3];
        target[to + 4] = source[from + 4];
        target[to + 5] = source[from + 5];
        target[to + 6] = source[from + 6];
        target[to + 7] = source[from + 7];
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
        if (codeCount > Integer.MAX_VALUE - 64) {
            throw new IllegalStateException("a column would need " + codeCount + " codes");
        }
        if (codes.length < codeCount) {
            long grown = Math.max(codeCount, codes.length + (codes.length >> 1));
            codes = Arrays.copyOf(codes, (int) Math.min(grown, Integer.MAX_VALUE - 64));
        }
    }
}
