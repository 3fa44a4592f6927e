package dev.penstock.loader.route;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;

/** Copies chosen rows of one batch into another, column by column. */
final class RowGather {
    private RowGather() {}

    /** Replaces the contents of {@code out} with {@code rows[from, to)} of {@code in}, in order. */
    static void gather(ColumnBatch in, int[] rows, int from, int to, ColumnBatch out) {
        out.clear();
        int count = to - from;
        for (int i = 0; i < in.columnCount(); i++) {
            ColumnData target = out.column(i);
            target.ensureRows(count);
            switch (in.column(i)) {
                case LongColumn longs ->
                        gatherLongs(longs.values(), rows, from, to, out.longs(i).values());
                case BytesColumn bytes -> gatherBytes(bytes, rows, from, to, out.bytes(i));
            }
            gatherNulls(in.column(i).validity(), rows, from, to, target.validity());
        }
        out.setRowCount(count);
    }

    private static void gatherLongs(long[] in, int[] rows, int from, int to, long[] out) {
        for (int i = from; i < to; i++) {
            out[i - from] = in[rows[i]];
        }
    }

    private static void gatherBytes(BytesColumn in, int[] rows, int from, int to, BytesColumn out) {
        int[] offsets = in.offsets();
        long total = 0;
        for (int i = from; i < to; i++) {
            total += offsets[rows[i] + 1] - offsets[rows[i]];
        }
        out.ensureBytes(total);
        byte[] data = in.data();
        byte[] target = out.data();
        int[] ends = out.offsets();
        int at = 0;
        ends[0] = 0;
        for (int i = from; i < to; i++) {
            int start = offsets[rows[i]];
            int length = offsets[rows[i] + 1] - start;
            System.arraycopy(data, start, target, at, length);
            at += length;
            ends[i - from + 1] = at;
        }
    }

    private static void gatherNulls(Validity in, int[] rows, int from, int to, Validity out) {
        if (in.hasNulls()) {
            for (int i = from; i < to; i++) {
                if (!in.isValid(rows[i])) {
                    out.setNull(i - from, to - from);
                }
            }
        }
    }
}
