package dev.penstock.kernel;

/** Brings rows of a few codes each into another order. Vector and scalar forms. */
public final class CodeKernels {
    /** Codes after each row, and after the last one of the target, read and overwritten. */
    public static final int SLACK = 8;

    private CodeKernels() {}

    /**
     * Appends rows of codes, one after the other from {@code ends[to]} on, and enters their ends in
     * {@code ends[to + 1 ..]}. Row r is {@code codes[offsets[r], offsets[r + 1])}; after each there
     * are {@link #SLACK} readable codes, and as many spare ones after the last in {@code out}.
     *
     * @param order {@code order[from .. from + count)} are the rows
     */
    public static void gather(
            int[] offsets,
            char[] codes,
            int[] order,
            int from,
            int count,
            int[] ends,
            int[] out,
            int to) {
        if (KernelSelection.VECTOR) {
            VectorCodes.gather(offsets, codes, order, from, count, ends, out, to);
        } else {
            gatherScalar(offsets, codes, order, from, count, ends, out, to);
        }
    }

    static void gatherScalar(
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
            for (int j = SLACK; j < length; j++) {
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
