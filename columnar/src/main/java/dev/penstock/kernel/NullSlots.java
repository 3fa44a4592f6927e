package dev.penstock.kernel;

import java.util.Arrays;

/**
 * Gives the slots of NULLs one value, so that loops over all slots need not ask which hold one. A
 * pass over the NULLs only; bit i of the validity is 1 if there is a value, and stands for the slot
 * {@code from + i}.
 */
public final class NullSlots {
    private NullSlots() {}

    /**
     * Sets the slots of NULLs among {@code values[from .. from + count)}.
     *
     * @param validity bits from bit {@code firstBit} on
     */
    public static void fill(
            long[] values, int from, int count, long[] validity, int firstBit, long filler) {
        for (int done = 0; done < count; done += 64) {
            long nulls = nulls(validity, firstBit + done, count - done);
            int at = from + done;
            if (nulls == -1) {
                Arrays.fill(values, at, at + 64, filler);
                continue;
            }
            while (nulls != 0) {
                values[at + Long.numberOfTrailingZeros(nulls)] = filler;
                nulls &= nulls - 1;
            }
        }
    }

    /** The NULLs among the next at most 64 rows. */
    private static long nulls(long[] validity, int bit, int left) {
        long nulls = ~BitRange.word(validity, bit);
        return left >= 64 ? nulls : nulls & (1L << left) - 1;
    }
}
