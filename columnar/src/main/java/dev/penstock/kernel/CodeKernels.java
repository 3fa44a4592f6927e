package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** Brings rows of a few codes each, of two bytes, into another order. */
public final class CodeKernels {
    /** Codes after each row, and after the last one of the target, read and overwritten. */
    public static final int SLACK = 8;

    private CodeKernels() {}

    /**
     * Appends rows of codes, one after the other from {@code ends[to]} on, and enters their ends in
     * {@code ends[to + 1 ..]}. Row r is the codes {@code [offsets[r], offsets[r + 1])}; after each
     * there are {@link #SLACK} readable codes, and as many spare ones after the last in {@code
     * out}. Rows have few codes each, and a loop over them is left too early to be foreseen: so
     * they are copied eight at a time.
     *
     * @param order {@code order[from .. from + count)} are the rows
     */
    public static void gather(
            int[] offsets,
            byte[] codes,
            int[] order,
            int from,
            int count,
            int[] ends,
            byte[] out,
            int to) {
        int position = ends[to];
        for (int i = 0; i < count; i++) {
            int row = order[from + i];
            int start = offsets[row];
            int length = offsets[row + 1] - start;
            copyEight(codes, 2 * start, out, 2 * position);
            for (int j = SLACK; j < length; j += SLACK) {
                copyEight(codes, 2 * (start + j), out, 2 * (position + j));
            }
            position += length;
            ends[to + i + 1] = position;
        }
    }

    private static void copyEight(byte[] source, int from, byte[] target, int to) {
        long low = ByteAccess.getLong(source, from);
        long high = ByteAccess.getLong(source, from + 8);
        ByteAccess.putLong(target, to, low);
        ByteAccess.putLong(target, to + 8, high);
    }
}
