package dev.penstock.sort;

import java.util.Arrays;

/**
 * Codes of many rows, one or two bytes each, to be gathered in another order: the narrower they
 * are, the fewer cache lines a gather from many places touches. Owned by one thread.
 */
public final class CodeLane {
    private static final int MAX_BYTE_CODES = 256;

    private byte[] bytes = new byte[0];
    private char[] chars = new char[0];
    private boolean narrow;

    /** Forgets all codes and makes room for {@code rows}, all codes below {@code codeCount}. */
    public void reset(int rows, int codeCount) {
        narrow = codeCount <= MAX_BYTE_CODES;
        if (narrow && bytes.length < rows) {
            bytes = Arrays.copyOf(bytes, rows + (rows >> 2));
        } else if (!narrow && chars.length < rows) {
            chars = Arrays.copyOf(chars, rows + (rows >> 2));
        }
    }

    /** Sets the codes of rows [at, at + count) to the first ones of {@code codes}. */
    public void put(int[] codes, int count, int at) {
        if (narrow) {
            putBytes(codes, count, bytes, at);
        } else {
            putChars(codes, count, chars, at);
        }
    }

    private static void putBytes(int[] codes, int count, byte[] target, int at) {
        for (int i = 0; i < count; i++) {
            target[at + i] = (byte) codes[i];
        }
    }

    private static void putChars(int[] codes, int count, char[] target, int at) {
        for (int i = 0; i < count; i++) {
            target[at + i] = (char) codes[i];
        }
    }

    /** Sets {@code target[to + i]} to the code of row {@code order[from + i]}. */
    public void gather(int[] order, int from, int count, int[] target, int to) {
        if (narrow) {
            gatherBytes(bytes, order, from, count, target, to);
        } else {
            gatherChars(chars, order, from, count, target, to);
        }
    }

    private static void gatherBytes(
            byte[] source, int[] order, int from, int count, int[] target, int to) {
        for (int i = 0; i < count; i++) {
            target[to + i] = source[order[from + i]] & 0xFF;
        }
    }

    private static void gatherChars(
            char[] source, int[] order, int from, int count, int[] target, int to) {
        for (int i = 0; i < count; i++) {
            target[to + i] = source[order[from + i]];
        }
    }
}
