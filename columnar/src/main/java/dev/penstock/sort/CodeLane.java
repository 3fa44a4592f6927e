package dev.penstock.sort;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.NarrowPacking;

import java.util.Arrays;

/**
 * Codes of many rows, one or two bytes each, to be gathered in another order: the narrower they
 * are, the fewer cache lines a gather from many places touches. Owned by one thread.
 */
public final class CodeLane {
    private static final int MAX_BYTE_CODES = 1 << NarrowPacking.MAX_BYTE_BITS;
    private static final int MAX_SHORT_CODES = 1 << NarrowPacking.MAX_SHORT_BITS;

    private byte[] codes = new byte[0];
    private boolean narrow;

    /**
     * Forgets all codes and makes room for {@code rows}, all codes below {@code codeCount}, which
     * is at most 32768.
     */
    public void reset(int rows, int codeCount) {
        if (codeCount > MAX_SHORT_CODES) {
            throw new IllegalArgumentException(codeCount + " codes");
        }
        narrow = codeCount <= MAX_BYTE_CODES;
        int length = narrow ? rows : 2 * rows;
        if (codes.length < length) {
            codes = Arrays.copyOf(codes, length + (length >> 2));
        }
    }

    /** Sets the codes of rows [at, at + count) to the first ones of {@code values}. */
    public void put(int[] values, int count, int at) {
        if (narrow) {
            putBytes(values, count, codes, at);
        } else {
            putShorts(values, count, codes, at);
        }
    }

    private static void putBytes(int[] values, int count, byte[] target, int at) {
        for (int i = 0; i < count; i++) {
            target[at + i] = (byte) values[i];
        }
    }

    private static void putShorts(int[] values, int count, byte[] target, int at) {
        for (int i = 0; i < count; i++) {
            ByteAccess.putShort(target, 2 * (at + i), values[i]);
        }
    }

    /**
     * Sets the codes of rows [row, row + count) to packed values, to each of which a number is
     * added. See {@link NarrowPacking#unpackBytes} for the stream.
     *
     * @param limit no value may then be above it
     * @return false if one is, or if that is not easy to say; then the rows have no codes yet
     */
    public boolean unpack(
            byte[] in, int at, int first, int count, int bits, int summand, int limit, int row) {
        int highest = narrow ? MAX_BYTE_CODES - 1 : MAX_SHORT_CODES - 1;
        int most = Math.min(limit, highest);
        return narrow
                ? NarrowPacking.unpackBytes(in, at, first, count, bits, summand, most, codes, row)
                : NarrowPacking.unpackShorts(in, at, first, count, bits, summand, most, codes, row);
    }

    /**
     * Exchanges the codes of rows [row, row + count) for what a table has in their places, less a
     * number.
     *
     * @return whether all are codes then, none negative
     */
    public boolean translate(char[] table, int less, int row, int count) {
        return narrow
                ? translateBytes(table, less, codes, row, count)
                : translateShorts(table, less, codes, row, count);
    }

    private static boolean translateBytes(
            char[] table, int less, byte[] codes, int from, int count) {
        int any = 0;
        for (int i = from; i < from + count; i++) {
            int code = table[codes[i]] - less;
            any |= code;
            codes[i] = (byte) code;
        }
        return any >= 0;
    }

    private static boolean translateShorts(
            char[] table, int less, byte[] codes, int from, int count) {
        int any = 0;
        for (int i = 2 * from; i < 2 * (from + count); i += 2) {
            int code = table[ByteAccess.getShort(codes, i)] - less;
            any |= code;
            ByteAccess.putShort(codes, i, code);
        }
        return any >= 0;
    }

    /** Sets {@code target[to + i]} to the code of row {@code order[from + i]}. */
    public void gather(int[] order, int from, int count, int[] target, int to) {
        if (narrow) {
            gatherBytes(codes, order, from, count, target, to);
        } else {
            gatherShorts(codes, order, from, count, target, to);
        }
    }

    private static void gatherBytes(
            byte[] source, int[] order, int from, int count, int[] target, int to) {
        for (int i = 0; i < count; i++) {
            target[to + i] = source[order[from + i]];
        }
    }

    private static void gatherShorts(
            byte[] source, int[] order, int from, int count, int[] target, int to) {
        for (int i = 0; i < count; i++) {
            target[to + i] = ByteAccess.getShort(source, 2 * order[from + i]);
        }
    }
}
