package dev.penstock.dict;

import java.util.Arrays;

/**
 * Codes of a {@link TokenTable} of many rows, two bytes each, to be gathered in another order: the
 * fewer bytes, the more of them stay in the cache. Owned by one thread; keeps its capacity.
 */
public final class TokenLane {
    /** Codes that are copied at once, however few a row has. */
    private static final int COPIED = 8;

    private int[] offsets = new int[1];
    private char[] codes = new char[COPIED];
    private int rows;

    /** Forgets all rows. */
    public void clear() {
        rows = 0;
    }

    /** Appends the rows [0, count) of a column. */
    public void append(TokenColumn source, int count) {
        if (offsets.length <= rows + count) {
            offsets = Arrays.copyOf(offsets, Math.max(rows + count + 1, offsets.length * 3 / 2));
        }
        int at = offsets[rows];
        int added = source.offsets()[count];
        long needed = (long) at + added + COPIED;
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
        target.ensureCodes(total + COPIED);
        gather(offsets, codes, order, from, count, ends, target.codes(), to);
    }

    private static void gather(
            int[] offsets,
            char[] codes,
            int[] order,
            int from,
            int count,
            int[] ends,
            int[] out,
            int to) {
        int position = ends[to];
        for (int i = 0; i < count; i++) {
            int row = order[from + i];
            int start = offsets[row];
            int length = offsets[row + 1] - start;
            copyEight(codes, start, out, position);
            for (int j = COPIED; j < length; j++) {
                out[position + j] = codes[start + j];
            }
            position += length;
            ends[to + i + 1] = position;
        }
    }

    /** Rows have few codes each, and a loop over them is left too early to be foreseen. */
    private static void copyEight(char[] source, int from, int[] target, int to) {
        target[to] = source[from];
        target[to + 1] = source[from + 1];
        target[to + 2] = source[from + 2];
        target[to + 3] = source[from + 3];
        target[to + 4] = source[from + 4];
        target[to + 5] = source[from + 5];
        target[to + 6] = source[from + 6];
        target[to + 7] = source[from + 7];
    }
}
