package dev.penstock.dict;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.CodeKernels;
import dev.penstock.kernel.CopyKernels;

import java.util.Arrays;

/**
 * Byte strings as codes of one {@link TokenTable}, two bytes each: row r is the codes {@code
 * [offsets[r], offsets[r + 1])}. The fewer bytes, the more of them stay in the cache. Owned by one
 * thread; keeps its capacity.
 */
public final class TokenColumn {
    private static final int MAX_CODES = (Integer.MAX_VALUE - 64 >> 1) - CodeKernels.SLACK;

    private int[] offsets = new int[1];
    private byte[] codes = new byte[2 * CodeKernels.SLACK];

    /** Row starts and the last row's end; {@code offsets()[0]} is 0. */
    public int[] offsets() {
        return offsets;
    }

    /** Little-endian, and {@link CodeKernels#SLACK} more than there is room for. */
    public byte[] codes() {
        return codes;
    }

    /** One of the codes. */
    public int code(int index) {
        return ByteAccess.getShort(codes, 2 * index);
    }

    /** Makes room for {@code rowCount} rows in all, and a few more, keeping what is there. */
    public void ensureRows(int rowCount) {
        if (offsets.length < rowCount + 1) {
            int wanted = rowCount + (rowCount >> 3) + 1;
            offsets = Arrays.copyOf(offsets, Math.max(wanted, offsets.length * 3 / 2));
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
        System.arraycopy(codes, 2 * start, target.codes, 0, 2 * count);
    }

    /**
     * Appends the rows {@code order[from .. from + count)} to another column, after row {@code to}.
     */
    public void gather(int[] order, int from, int count, TokenColumn target, int to) {
        target.ensureRows(to + count);
        int[] ends = target.offsets;
        target.ensureCodes(ends[to] + CopyKernels.total(offsets, order, from, count));
        CodeKernels.gather(offsets, codes, order, from, count, ends, target.codes, to);
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
        if (codes.length < 2 * (codeCount + CodeKernels.SLACK)) {
            if (codeCount > MAX_CODES) {
                throw new IllegalStateException("a column would need " + codeCount + " codes");
            }
            long grown = Math.min(MAX_CODES, Math.max(codeCount, 3L * codes.length / 4));
            codes = Arrays.copyOf(codes, 2 * ((int) grown + CodeKernels.SLACK));
        }
    }
}
