package dev.penstock.sort;

/**
 * Whether neighbours are in order, for keys of two ascending long parts (or of one, which is then
 * given twice). Loops without a branch, which the compiler makes vectors of.
 */
final class KeyScan {
    private KeyScan() {}

    /** Whether each row in [from, to) has a larger key than the row before it. */
    static boolean rises(long[] first, long[] second, int from, int to) {
        long bad = 0;
        for (int row = from; row < to; row++) {
            long before = first[row - 1];
            long after = first[row];
            long secondBefore = second[row - 1];
            long secondAfter = second[row];
            long same = ~nonZero(before ^ after);
            long secondSame = ~nonZero(secondBefore ^ secondAfter);
            bad |= before ^ Math.min(before, after);
            bad |= same & (secondSame | (secondBefore ^ Math.min(secondBefore, secondAfter)));
        }
        return bad == 0;
    }

    /** Whether any row in [from, to) has a smaller key than the row before it. */
    static boolean falls(long[] first, long[] second, int from, int to) {
        long bad = 0;
        for (int row = from; row < to; row++) {
            long before = first[row - 1];
            long after = first[row];
            long secondBefore = second[row - 1];
            bad |= before ^ Math.min(before, after);
            bad |= ~nonZero(before ^ after) & (secondBefore ^ Math.min(secondBefore, second[row]));
        }
        return bad != 0;
    }

    /** All ones, or 0 for 0. */
    private static long nonZero(long value) {
        return (value | -value) >> 63;
    }
}
