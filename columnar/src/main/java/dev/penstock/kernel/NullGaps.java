package dev.penstock.kernel;

import java.util.Arrays;

/**
 * Between rows, some of which are NULL, and the values of the others side by side. {@code close}
 * takes the values out of the rows, {@code open} puts them back to their rows. Bit i of the
 * validity is 1 if there is a value, and stands for row {@code from + i}; it has words for all
 * rows.
 *
 * <p>Values that are opened stand where the last of the rows will be: so a single pass in the order
 * of the rows never overwrites one that is still to come, and needs no other memory.
 */
public final class NullGaps {
    private NullGaps() {}

    /**
     * Puts the values of rows {@code in[from .. from + count)} side by side from {@code out[at]}
     * on, which may be the same array, at the same place or before. Answers how many there are.
     */
    public static int close(
            int[] in, int from, int count, long[] validity, int firstBit, int[] out, int at) {
        int next = at;
        for (int done = 0; done < count; done += 64) {
            long valid = BitRange.word(validity, firstBit + done, count - done);
            int row = from + done;
            if (valid == -1) {
                System.arraycopy(in, row, out, next, 64);
                next += 64;
                continue;
            }
            while (valid != 0) {
                out[next++] = in[row + Long.numberOfTrailingZeros(valid)];
                valid &= valid - 1;
            }
        }
        return next - at;
    }

    /** The same of longs. */
    public static int close(
            long[] in, int from, int count, long[] validity, int firstBit, long[] out, int at) {
        int next = at;
        for (int done = 0; done < count; done += 64) {
            long valid = BitRange.word(validity, firstBit + done, count - done);
            int row = from + done;
            if (valid == -1) {
                System.arraycopy(in, row, out, next, 64);
                next += 64;
                continue;
            }
            while (valid != 0) {
                out[next++] = in[row + Long.numberOfTrailingZeros(valid)];
                valid &= valid - 1;
            }
        }
        return next - at;
    }

    /**
     * Gives rows {@code values[from .. from + count)} their values, and NULLs a filler. The values
     * are the last ones of that range.
     */
    public static void open(
            int[] values,
            int from,
            int count,
            int valued,
            long[] validity,
            int firstBit,
            int filler) {
        int next = from + count - valued;
        for (int done = 0; done < count; done += 64) {
            int row = from + done;
            int end = row + Math.min(64, count - done);
            long valid = BitRange.word(validity, firstBit + done, count - done);
            if (valid == -1) {
                System.arraycopy(values, next, values, row, 64);
                next += 64;
                continue;
            }
            // After the word's last value there may be none to look at.
            int last = row + 64 - Long.numberOfLeadingZeros(valid);
            for (; row < last; row++) {
                int bit = (int) valid & 1;
                values[row] = bit != 0 ? values[next] : filler;
                next += bit;
                valid >>>= 1;
            }
            Arrays.fill(values, row, end, filler);
        }
    }

    /** The same of longs. */
    public static void open(
            long[] values,
            int from,
            int count,
            int valued,
            long[] validity,
            int firstBit,
            long filler) {
        int next = from + count - valued;
        for (int done = 0; done < count; done += 64) {
            int row = from + done;
            int end = row + Math.min(64, count - done);
            long valid = BitRange.word(validity, firstBit + done, count - done);
            if (valid == -1) {
                System.arraycopy(values, next, values, row, 64);
                next += 64;
                continue;
            }
            int last = row + 64 - Long.numberOfLeadingZeros(valid);
            for (; row < last; row++) {
                int bit = (int) valid & 1;
                values[row] = bit != 0 ? values[next] : filler;
                next += bit;
                valid >>>= 1;
            }
            Arrays.fill(values, row, end, filler);
        }
    }

    /**
     * The same of the ends of byte strings: NULLs have no bytes, and end where the row before does.
     * The first row begins at {@code ends[from - 1]}.
     */
    public static void openEnds(
            int[] ends, int from, int count, int valued, long[] validity, int firstBit) {
        int next = from + count - valued;
        int end = ends[from - 1];
        for (int done = 0; done < count; done += 64) {
            int row = from + done;
            int stop = row + Math.min(64, count - done);
            long valid = BitRange.word(validity, firstBit + done, count - done);
            int last = row + 64 - Long.numberOfLeadingZeros(valid);
            for (; row < last; row++) {
                int bit = (int) valid & 1;
                end = bit != 0 ? ends[next] : end;
                ends[row] = end;
                next += bit;
                valid >>>= 1;
            }
            Arrays.fill(ends, row, stop, end);
        }
    }

    /**
     * The bits of the values among those of {@code rows} rows, side by side; bits beyond them in
     * the last word are 0.
     */
    public static void closeBits(long[] in, int rows, long[] validity, long[] out) {
        int next = 0;
        long word = 0;
        for (int i = 0; i << 6 < rows; i++) {
            long valid = BitRange.word(validity, i << 6, rows - (i << 6));
            long bits = Long.compress(in[i], valid);
            int count = Long.bitCount(valid);
            word |= bits << next;
            int end = (next & 63) + count;
            if (end >= 64) {
                out[next >> 6] = word;
                // The bits that there was no room for, none if there was.
                word = bits >>> 1 >>> (~next & 63);
            }
            next += count;
        }
        if ((next & 63) != 0) {
            out[next >> 6] = word;
        }
    }

    /** The bits of {@code rows} rows, 0 for NULLs, of those of the values side by side. */
    public static void openBits(long[] in, int rows, long[] validity, long[] out) {
        int next = 0;
        for (int i = 0; i << 6 < rows; i++) {
            long valid = BitRange.word(validity, i << 6, rows - (i << 6));
            out[i] = Long.expand(BitRange.word(in, next), valid);
            next += Long.bitCount(valid);
        }
    }
}
