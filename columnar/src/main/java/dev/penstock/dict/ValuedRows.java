package dev.penstock.dict;

import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.NullGaps;

import java.util.Arrays;

/**
 * The byte strings of a slice that are not NULL, one after the other, so that loops over them need
 * not ask. If NULLs take no bytes, as is usual, the data stays where it is. Owned by one thread;
 * keeps its capacity.
 */
public final class ValuedRows {
    private int[] offsets = new int[1];
    private byte[] data = new byte[0];
    private byte[] copied = new byte[0];
    private int count;

    /**
     * Takes the rows [from, from + rows) of a column.
     *
     * @param words validity bits of the rows (bit {@code row})
     */
    public void take(int[] starts, byte[] bytes, int from, int rows, long[] words) {
        if (offsets.length <= rows) {
            offsets = new int[rows + (rows >> 2) + 1];
        }
        data = bytes;
        count = NullGaps.close(starts, from, rows, words, from, offsets, 0);
        offsets[count] = starts[from + rows];
        if (nullBytes(starts, from, rows, words) != 0) {
            copy(starts, bytes, from, rows, words);
        }
    }

    /** Where the strings start in {@link #data}, and where the last one ends. */
    public int[] offsets() {
        return offsets;
    }

    public byte[] data() {
        return data;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    private static long nullBytes(int[] starts, int from, int rows, long[] words) {
        long bytes = 0;
        for (int done = 0; done < rows; done += 64) {
            long nulls = ~BitRange.word(words, from + done);
            nulls &= -1L >>> Math.max(0, 64 - (rows - done));
            if (nulls == -1) {
                bytes |= starts[from + done + 64] - starts[from + done];
                continue;
            }
            while (nulls != 0) {
                int row = from + done + Long.numberOfTrailingZeros(nulls);
                bytes |= starts[row + 1] - starts[row];
                nulls &= nulls - 1;
            }
        }
        return bytes;
    }

    private void copy(int[] starts, byte[] bytes, int from, int rows, long[] words) {
        int length = starts[from + rows] - starts[from];
        if (copied.length < length) {
            copied = new byte[length];
        }
        int next = 0;
        int at = 0;
        for (int row = from; row < from + rows; row++) {
            if ((words[row >> 6] >>> row & 1) != 0) {
                int size = starts[row + 1] - starts[row];
                System.arraycopy(bytes, starts[row], copied, at, size);
                offsets[next++] = at;
                at += size;
            }
        }
        offsets[next] = at;
        data = copied;
    }

    /**
     * Gives each row the number of its value: {@code numbers} of the values that were taken become
     * those of all rows. NULLs get that of the next value, or 0 behind the last one.
     */
    public void spread(int[] numbers, int from, int rows, long[] words) {
        int next = count;
        if (next < rows) {
            numbers[next] = 0;
        }
        for (int done = (rows - 1) & -64; done >= 0; done -= 64) {
            int last = Math.min(rows, done + 64) - 1;
            long valid = BitRange.word(words, from + done) << 63 - (last - done);
            if (valid == 0) {
                Arrays.fill(numbers, done, last + 1, numbers[next]);
                continue;
            }
            for (int i = last; i >= done; i--) {
                next -= (int) (valid >>> 63);
                valid <<= 1;
                numbers[i] = numbers[next];
            }
        }
    }
}
