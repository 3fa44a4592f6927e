package dev.penstock.dict;

import dev.penstock.kernel.CodeKernels;

import java.util.Arrays;

/**
 * Codes of a {@link TokenTable} of many rows, two bytes each, to be gathered in another order: the
 * fewer bytes, the more of them stay in the cache. Owned by one thread; keeps its capacity.
 */
public final class TokenLane {
    private int[] offsets = new int[1];
    private char[] codes = new char[CodeKernels.SLACK];
    private int rows;

    /** Forgets all rows, and makes room for so many. */
    public void clear(int expectedRows) {
        rows = 0;
        if (offsets.length <= expectedRows) {
            offsets = new int[expectedRows + 1];
        }
    }

    /** Appends the rows [0, count) of a column. */
    public void append(TokenColumn source, int count) {
        if (offsets.length <= rows + count) {
            offsets = Arrays.copyOf(offsets, Math.max(rows + count + 1, offsets.length * 3 / 2));
        }
        int at = offsets[rows];
        int added = source.offsets()[count];
        long needed = (long) at + added + CodeKernels.SLACK;
        if (codes.length < needed) {
            codes = Arrays.copyOf(codes, TokenColumn.capacity(codes.length, needed));
        }
        narrow(source.codes(), added, codes, at);
        shift(source.offsets(), count, at, offsets, rows);
        rows += count;
    }

    private static void narrow(int[] source, int count, char[] target, int at) {
        for (int i = 0; i < count; i++) {
            target[at + i] = (char) source[i];
        }
    }

    private static void shift(int[] ends, int count, int summand, int[] target, int at) {
        for (int i = 1; i <= count; i++) {
            target[at + i] = summand + ends[i];
        }
    }

    /** Appends the rows {@code order[from .. from + count)} to a column, after row {@code to}. */
    public void gather(int[] order, int from, int count, TokenColumn target, int to) {
        target.ensureRows(to + count);
        int[] ends = target.offsets();
        long total = ends[to];
        for (int i = from; i < from + count; i++) {
            total += offsets[order[i] + 1] - offsets[order[i]];
        }
        target.ensureCodes(total + CodeKernels.SLACK);
        CodeKernels.gather(offsets, codes, order, from, count, ends, target.codes(), to);
    }
}
