package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** Copies many short byte ranges. Vector and scalar forms as in {@link ScanKernels}. */
public final class CopyKernels {
    /** Bytes after each range, and after the last target byte, that may be read and overwritten. */
    public static final int SLACK = 64;

    private CopyKernels() {}

    /** The lengths together of rows {@code order[from .. from + count)}, given where rows begin. */
    public static long total(int[] offsets, int[] order, int from, int count) {
        long total = 0;
        for (int i = from; i < from + count; i++) {
            total += offsets[order[i] + 1] - offsets[order[i]];
        }
        return total;
    }

    /** The lengths of the shortest and the longest field, as {@link IntRange} has them. */
    public static long lengths(int[] before, int[] end, int count) {
        int shortest = Integer.MAX_VALUE;
        int longest = 0;
        for (int i = 0; i < count; i++) {
            int length = end[i] - before[i] - 1;
            shortest = Math.min(shortest, length);
            longest = Math.max(longest, length);
        }
        return (long) longest << 32 | shortest;
    }

    /**
     * Appends fields of {@code text} to {@code data}, one after the other from {@code offsets[row]}
     * on, and enters their ends in {@code offsets[row + 1 ..]}. Field i is {@code text[before[i] +
     * 1, end[i])}. {@code text} needs {@link #SLACK} readable bytes after each start, {@code data}
     * as many spare ones after the last byte.
     *
     * @param shortest length of the shortest field
     * @param longest length of the longest field
     */
    public static void gather(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            byte[] data,
            int[] offsets,
            int row,
            int shortest,
            int longest) {
        if (longest == 1 && shortest == 1) {
            single(text, before, count, data, offsets, row);
        } else if (longest <= 8) {
            words(text, before, end, count, data, offsets, row);
        } else if (VectorKernels.convert(count)) {
            VectorCopy.gather(text, before, end, count, data, offsets, row, longest);
        } else {
            ScalarCopy.gather(text, before, end, count, data, offsets, row, longest);
        }
    }

    /** Fields of one byte each. */
    private static void single(
            byte[] text, int[] before, int count, byte[] data, int[] offsets, int row) {
        int at = offsets[row];
        for (int i = 0; i < count; i++) {
            data[at + i] = text[before[i] + 1];
        }
        for (int i = 1; i <= count; i++) {
            offsets[row + i] = at + i;
        }
    }

    /** Fields of at most eight bytes. */
    private static void words(
            byte[] text, int[] before, int[] end, int count, byte[] data, int[] offsets, int row) {
        int at = offsets[row];
        for (int i = 0; i < count; i++) {
            int start = before[i] + 1;
            ByteAccess.putLong(data, at, ByteAccess.getLong(text, start));
            at += end[i] - start;
            offsets[row + i + 1] = at;
        }
    }

    /** Bytes of all fields together. */
    public static long totalLength(int[] before, int[] end, int count) {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += end[i] - before[i] - 1;
        }
        return total;
    }

    /**
     * Copies a text, most often a short one: sixteen bytes at once, whether all are wanted or not,
     * so the target has room for so many. Returns where the copy ends.
     */
    public static int text(byte[] source, int from, int to, byte[] target, int at) {
        int length = to - from;
        if (length <= 16 && from <= source.length - 16) {
            ByteAccess.putLong(target, at, ByteAccess.getLong(source, from));
            ByteAccess.putLong(target, at + 8, ByteAccess.getLong(source, from + 8));
        } else {
            System.arraycopy(source, from, target, at, length);
        }
        return at + length;
    }
}
