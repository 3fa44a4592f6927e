package dev.penstock.sort;

import dev.penstock.kernel.ByteStrings;

import java.util.Arrays;

/**
 * The loops over the heads of keys, eight bytes of each from some byte on, for {@link
 * KeyBytesOrder}. Each runs in windows of rows: a sort has few calls and many rows, and the JVM
 * compiles in full what is called often.
 */
final class KeyHeads {
    private static final int WINDOW = 512;

    private KeyHeads() {}

    /**
     * Puts the head of each of the {@code rows[from .. to)} into {@code heads}, by row and as an
     * unsigned number in key order: eight bytes after the first {@code prefix}, or zeros where the
     * key has ended.
     *
     * @return the bits in which any two of them differ
     */
    static long find(
            byte[] data, int[] offsets, int[] rows, int from, int to, int prefix, long[] heads) {
        if (from == to) {
            return 0;
        }
        long first = head(data, offsets, rows[from], prefix);
        long varying = 0;
        for (int i = from; i < to; i += WINDOW) {
            int end = Math.min(to, i + WINDOW);
            varying |= findWindow(data, offsets, rows, i, end, prefix, first, heads);
        }
        return varying;
    }

    private static long findWindow(
            byte[] data,
            int[] offsets,
            int[] rows,
            int from,
            int to,
            int prefix,
            long first,
            long[] heads) {
        long varying = 0;
        for (int i = from; i < to; i++) {
            int row = rows[i];
            long head = head(data, offsets, row, prefix);
            heads[row] = head;
            varying |= head ^ first;
        }
        return varying;
    }

    private static long head(byte[] data, int[] offsets, int row, int prefix) {
        int start = offsets[row] + prefix;
        int length = Math.max(0, offsets[row + 1] - start);
        return Long.reverseBytes(ByteStrings.head(data, start, length));
    }

    /**
     * How many bytes the keys of {@code rows[from .. to)} begin with together, of which so many are
     * known; these if a key ends before.
     */
    static int common(byte[] data, int[] offsets, int[] rows, int from, int to, int known) {
        int common = Integer.MAX_VALUE;
        for (int i = from; i < to && common > known; i += WINDOW) {
            int end = Math.min(to, i + WINDOW);
            common = commonOfWindow(data, offsets, rows, i, end, rows[from], known, common);
        }
        return Math.max(common, known);
    }

    private static int commonOfWindow(
            byte[] data,
            int[] offsets,
            int[] rows,
            int from,
            int to,
            int firstRow,
            int known,
            int most) {
        int first = offsets[firstRow];
        int common = most;
        for (int i = from; i < to && common > known; i++) {
            int start = offsets[rows[i]];
            int length = Math.min(common, offsets[rows[i] + 1] - start);
            if (length <= known) {
                return known;
            }
            int different =
                    Arrays.mismatch(
                            data,
                            first + known,
                            first + length,
                            data,
                            start + known,
                            start + length);
            common = different < 0 ? length : known + different;
        }
        return common;
    }

    /**
     * Sets {@code out[0 .. to - from)} to the {@code varying} bits of the heads of {@code rows[from
     * .. to)}, without the lowest {@code dropped}, above the places, which count from 0 and have
     * {@code placeBits}.
     */
    static void pack(
            long[] heads,
            int[] rows,
            int from,
            int to,
            long varying,
            int dropped,
            int placeBits,
            long[] out) {
        for (int i = from; i < to; i += WINDOW) {
            int end = Math.min(to, i + WINDOW);
            packWindow(heads, rows, i, end, varying, dropped, placeBits, from, out);
        }
    }

    private static void packWindow(
            long[] heads,
            int[] rows,
            int from,
            int to,
            long varying,
            int dropped,
            int placeBits,
            int base,
            long[] out) {
        for (int i = from; i < to; i++) {
            long number = Long.compress(heads[rows[i]], varying) >>> dropped;
            int place = i - base;
            out[place] = number << placeBits | place;
        }
    }

    /** Sets {@code out[from .. to)} to the rows at the places that {@code sorted} gives. */
    static void place(long[] sorted, int[] rows, int from, int to, int placeBits, int[] out) {
        for (int i = from; i < to; i += WINDOW) {
            placeWindow(sorted, rows, i, Math.min(to, i + WINDOW), placeBits, from, out);
        }
    }

    private static void placeWindow(
            long[] sorted, int[] rows, int from, int to, int placeBits, int base, int[] out) {
        int mask = (1 << placeBits) - 1;
        for (int i = from; i < to; i++) {
            out[i] = rows[base + ((int) sorted[i - base] & mask)];
        }
    }

    /** The first place from {@code from} on whose number the next one has as well, or count. */
    static int nextTie(long[] sorted, int from, int count, int placeBits) {
        for (int i = from; i + 1 < count; i += WINDOW) {
            int end = Math.min(count - 1, i + WINDOW);
            int tie = nextTieOfWindow(sorted, i, end, placeBits);
            if (tie < end) {
                return tie;
            }
        }
        return count;
    }

    private static int nextTieOfWindow(long[] sorted, int from, int to, int placeBits) {
        int i = from;
        while (i < to && (sorted[i] ^ sorted[i + 1]) >>> placeBits != 0) {
            i++;
        }
        return i;
    }
}
