package dev.penstock.sort;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.kernel.CopyKernels;

/** Moves rows of a column into a given order. Source and target are different columns. */
public final class Gather {
    private Gather() {}

    /**
     * Sets {@code target}'s rows [0, count) to {@code source}'s rows {@code order[from .. from +
     * count)}, none of which occurs twice.
     */
    public static void rows(
            ColumnData source,
            int sourceRows,
            int[] order,
            int from,
            int count,
            ColumnData target) {
        target.validity().clear();
        target.ensureRows(count);
        validity(source.validity(), sourceRows, order, from, count, target.validity(), 0);
        switch (source) {
            case LongColumn longs ->
                    longs(longs.values(), order, from, count, ((LongColumn) target).values(), 0);
            case BytesColumn strings -> {
                BytesColumn out = (BytesColumn) target;
                int[] offsets = strings.offsets();
                if (ByteStrings.areSingleBytes(offsets, 0, sourceRows)) {
                    out.ensureBytes((long) count + CopyKernels.SLACK);
                    ByteStrings.gatherSingleBytes(
                            strings.data(), order, from, count, out.offsets(), out.data(), 0);
                } else {
                    strings(offsets, strings.data(), sourceRows, order, from, count, out, 0);
                }
            }
        }
    }

    /**
     * Sets which of {@code target}'s rows [to, to + count) are NULL from {@code source}'s rows
     * {@code order[from .. from + count)}, all below {@code sourceRows}.
     */
    public static void validity(
            Validity source,
            int sourceRows,
            int[] order,
            int from,
            int count,
            Validity target,
            int to) {
        if (source.hasNulls()) {
            source.ensureBits(sourceRows);
            target.ensureBits(to + count);
            bits(source.words(), order, from, count, target.words(), to);
        } else {
            target.setValid(to, count);
        }
    }

    /** Bit {@code to + i} of target becomes bit {@code order[from + i]} of source. */
    private static void bits(
            long[] source, int[] order, int from, int count, long[] target, int to) {
        for (int i = 0; i < count; i++) {
            int row = order[from + i];
            long bit = source[row >> 6] >>> row & 1;
            int at = to + i;
            target[at >> 6] = (target[at >> 6] & ~(1L << at)) | bit << at;
        }
    }

    public static void longs(
            long[] source, int[] order, int from, int count, long[] target, int to) {
        for (int i = 0; i < count; i++) {
            target[to + i] = source[order[from + i]];
        }
    }

    /** The same for sums of a number and ints. */
    public static void longs(
            int[] source, long summand, int[] order, int from, int count, long[] target, int to) {
        for (int i = 0; i < count; i++) {
            target[to + i] = summand + source[order[from + i]];
        }
    }

    public static void ints(int[] source, int[] order, int from, int count, int[] target, int to) {
        for (int i = 0; i < count; i++) {
            target[to + i] = source[order[from + i]];
        }
    }

    /**
     * Appends byte strings, none twice, at row {@code to} of target. Those of all source rows
     * together would be room enough; where there is not so much they are added up.
     */
    public static void strings(
            int[] offsets,
            byte[] data,
            int sourceRows,
            int[] order,
            int from,
            int count,
            BytesColumn target,
            int to) {
        target.ensureRows(to + count);
        int start = target.offsets()[to];
        if (target.data().length < (long) start + offsets[sourceRows] + CopyKernels.SLACK) {
            long bytes = CopyKernels.total(offsets, order, from, count);
            target.ensureBytes(start + bytes + CopyKernels.SLACK);
        }
        ByteStrings.gather(offsets, data, order, from, count, target.offsets(), target.data(), to);
    }
}
