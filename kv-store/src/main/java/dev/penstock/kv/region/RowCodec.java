package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

/**
 * Single rows as bytes, for the write-ahead log and the rows in memory: one validity bit a column
 * (1 = not NULL), padded to bytes, then every valid column in order: 8 bytes little-endian, or 4
 * bytes length and the byte string.
 */
final class RowCodec {
    private final boolean[] isLong;
    private final int bitBytes;

    RowCodec(TableSchema schema) {
        isLong = new boolean[schema.columnCount()];
        for (int i = 0; i < isLong.length; i++) {
            isLong[i] = schema.column(i).type().kind() == PhysicalKind.LONG;
        }
        bitBytes = (isLong.length + 7) >> 3;
    }

    byte[] encode(ColumnBatch batch, int row) {
        ByteBuilder out = new ByteBuilder(bitBytes + 12 * isLong.length);
        out.setLength(out.reserve(bitBytes) + bitBytes);
        for (int i = 0; i < isLong.length; i++) {
            ColumnData column = batch.column(i);
            if (!column.validity().isValid(row)) {
                continue;
            }
            out.array()[i >> 3] |= (byte) (1 << (i & 7));
            switch (column) {
                case LongColumn longs -> out.putLong(longs.values()[row]);
                case BytesColumn bytes -> {
                    int from = bytes.offsets()[row];
                    int length = bytes.offsets()[row + 1] - from;
                    out.putInt(length).write(bytes.data(), from, length);
                }
            }
        }
        return out.toByteArray();
    }

    /** Appends the columns of the projection, in its order, as row {@code outRow} of the batch. */
    void decode(byte[] row, int[] projection, ColumnBatch out, int outRow) {
        if (row.length < bitBytes) {
            throw PenstockException.corrupt("a row in a write-ahead log ends early");
        }
        int[] starts = new int[isLong.length];
        int at = bitBytes;
        for (int i = 0; i < isLong.length; i++) {
            starts[i] = at;
            if (isValid(row, i)) {
                at += isLong[i] ? 8 : 4 + length(row, at);
            }
        }
        if (at != row.length) {
            throw PenstockException.corrupt("a row in a write-ahead log has the wrong length");
        }
        for (int i = 0; i < projection.length; i++) {
            append(row, projection[i], starts[projection[i]], out.column(i), outRow);
        }
    }

    private void append(byte[] row, int column, int start, ColumnData out, int outRow) {
        boolean valid = isValid(row, column);
        out.ensureRows(outRow + 1);
        switch (out) {
            case LongColumn longs ->
                    longs.values()[outRow] = valid ? ByteAccess.getLong(row, start) : 0;
            case BytesColumn bytes ->
                    bytes.append(
                            outRow, row, valid ? start + 4 : 0, valid ? length(row, start) : 0);
        }
        if (!valid) {
            out.validity().setNull(outRow, outRow + 1);
        }
    }

    private static boolean isValid(byte[] row, int column) {
        return (row[column >> 3] >> (column & 7) & 1) != 0;
    }

    private static int length(byte[] row, int at) {
        if (at > row.length - 4) {
            throw PenstockException.corrupt("a row in a write-ahead log ends early");
        }
        int length = ByteAccess.getInt(row, at);
        if (length < 0 || length > row.length - at - 4) {
            throw PenstockException.corrupt("a row in a write-ahead log has an impossible length");
        }
        return length;
    }
}
