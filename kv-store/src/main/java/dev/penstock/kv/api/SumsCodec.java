package dev.penstock.kv.api;

import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;

/** Sums of columns in logs and in messages: the number of columns, then rows and sums if any. */
public final class SumsCodec {
    private SumsCodec() {}

    public static void put(ColumnSums sums, ByteBuilder out) {
        out.putInt(sums.columnCount());
        if (!sums.isNone()) {
            out.putLong(sums.rowCount());
            for (int i = 0; i < sums.columnCount(); i++) {
                out.putLong(sums.column(i));
            }
        }
    }

    public static ColumnSums get(ByteParser in) {
        int count = in.getCount(8);
        if (count == 0) {
            return ColumnSums.NONE;
        }
        long rows = in.getLong();
        long[] sums = new long[count];
        for (int i = 0; i < count; i++) {
            sums[i] = in.getLong();
        }
        return ColumnSums.of(rows, sums);
    }
}
