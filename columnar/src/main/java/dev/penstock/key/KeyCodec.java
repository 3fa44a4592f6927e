package dev.penstock.key;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.ScanKernels;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import java.util.Arrays;

/**
 * Primary keys as bytes whose unsigned order is the key order.
 *
 * <p>Key parts follow each other in key order:
 *
 * <ul>
 *   <li>{@link PhysicalKind#LONG}: big-endian in 1 (BOOLEAN), 2 (SMALLINT), 4 (INTEGER, DATE) or 8
 *       bytes, sign bit flipped
 *   <li>byte strings of fixed length (UUID, wide DECIMAL): as they are
 *   <li>byte strings of varying length: each 0x00 becomes 0x00 0xFF, and 0x00 0x00 ends the part,
 *       so that a prefix sorts first and no part runs into the next
 *   <li>a descending part: the same bytes, all bits inverted
 * </ul>
 *
 * <p>Immutable; safe for use by many threads.
 */
public final class KeyCodec {
    private final int[] columns;
    private final int[] widths;
    private final boolean[] descending;

    /** Of a key whose parts are all numbers; else 0. */
    private final int keyBytes;

    /** A codec for batches that hold all of the table's columns in table order. */
    public KeyCodec(TableSchema schema) {
        int parts = schema.key().size();
        columns = new int[parts];
        widths = new int[parts];
        descending = new boolean[parts];
        for (int i = 0; i < parts; i++) {
            KeyColumn part = schema.key().get(i);
            columns[i] = part.columnIndex();
            widths[i] = width(schema.column(part.columnIndex()).type());
            descending[i] = part.descending();
        }
        keyBytes =
                Arrays.stream(widths).allMatch(width -> width > 0)
                        ? Arrays.stream(widths).sum()
                        : 0;
    }

    /** Indexes of the key columns, in key order. */
    public int[] columns() {
        return columns.clone();
    }

    /** Index of the first key column. */
    public int firstColumn() {
        return columns[0];
    }

    /**
     * Whether the key is one ascending part of bytes: then the unsigned order of the values is that
     * of their keys, and a prefix comes first in both.
     */
    public boolean ordersAsValues() {
        return columns.length == 1 && widths[0] <= 0 && !descending[0];
    }

    public byte[] encode(ColumnBatch batch, int row) {
        ByteBuilder out = new ByteBuilder(32);
        encode(batch, row, out);
        return out.toByteArray();
    }

    /** Appends the key of one row. */
    public void encode(ColumnBatch batch, int row, ByteBuilder out) {
        for (int i = 0; i < columns.length; i++) {
            switch (batch.column(columns[i])) {
                case LongColumn longs -> putLong(i, longs.values()[row], out);
                case BytesColumn bytes ->
                        putBytes(
                                i,
                                bytes.data(),
                                bytes.offsets()[row],
                                bytes.offsets()[row + 1],
                                out);
            }
        }
    }

    /**
     * Appends the keys of the first rows.
     *
     * @param ends gets where in {@code out} each of the {@code count} keys ends
     */
    public void encodeAll(ColumnBatch batch, int count, ByteBuilder out, int[] ends) {
        if (keyBytes > 0) {
            encodeNumbers(batch, count, out, ends);
            return;
        }
        for (int row = 0; row < count; row++) {
            encode(batch, row, out);
            ends[row] = out.length();
        }
    }

    private void encodeNumbers(ColumnBatch batch, int count, ByteBuilder out, int[] ends) {
        int first = out.reserve(Math.multiplyExact(count, keyBytes));
        int at = first;
        for (int part = 0; part < columns.length; part++) {
            int width = widths[part];
            long[] values = batch.longs(columns[part]).values();
            NumberKeys.put(values, count, flips(part), width, out.array(), at, keyBytes);
            at += width;
        }
        for (int row = 0; row < count; row++) {
            ends[row] = first + (row + 1) * keyBytes;
        }
        out.setLength(first + count * keyBytes);
    }

    /** The bits of a number that its key has the other way round. */
    private long flips(int part) {
        long sign = 1L << (8 * Math.abs(widths[part]) - 1);
        return descending[part] ? ~sign : sign;
    }

    /** Appends one {@code LONG} key part; {@code part} counts in key order. */
    public void putLong(int part, long value, ByteBuilder out) {
        int width = Math.abs(widths[part]);
        int at = out.reserve(Long.BYTES);
        long bits = value ^ flips(part);
        // What comes next overwrites the bytes that are too many.
        ByteAccess.putLongBigEndian(out.array(), at, bits << (64 - 8 * width));
        out.setLength(at + width);
    }

    /** Appends one {@code BYTES} key part; {@code part} counts in key order. */
    public void putBytes(int part, byte[] data, int from, int to, ByteBuilder out) {
        int mask = descending[part] ? 0xFF : 0;
        boolean varying = widths[part] == 0;
        int at = out.reserve(2 * (to - from) + 2);
        byte[] target = out.array();
        boolean asItIs = !varying || ScanKernels.indexOf(data, from, to, (byte) 0) == to;
        if (mask == 0 && asItIs) {
            System.arraycopy(data, from, target, at, to - from);
            at += to - from;
        } else {
            for (int i = from; i < to; i++) {
                target[at++] = (byte) (data[i] ^ mask);
                if (varying && data[i] == 0) {
                    target[at++] = (byte) (0xFF ^ mask);
                }
            }
        }
        if (varying) {
            target[at++] = (byte) mask;
            target[at++] = (byte) mask;
        }
        out.setLength(at);
    }

    /**
     * Sets the key columns of {@code row}, the next row of {@code out}, from an encoded key; {@code
     * CORRUPT} if no values have exactly this key.
     */
    public void decode(byte[] key, int from, int to, ColumnBatch out, int row) {
        int at = from;
        for (int i = 0; i < columns.length; i++) {
            switch (out.column(columns[i])) {
                case LongColumn longs -> {
                    longs.ensureRows(row + 1);
                    longs.values()[row] = readLong(i, key, at, to);
                    at += widths[i];
                }
                case BytesColumn bytes -> at = readBytes(i, key, at, to, bytes, row);
            }
        }
        if (at != to) {
            throw PenstockException.corrupt(
                    "an encoded key has " + Counted.of(to - at, "byte") + " too many");
        }
    }

    /** Whether the first part of a key, which may be cut off anywhere, is a whole LONG. */
    public boolean beginsWithLong(byte[] key) {
        return widths.length > 0 && widths[0] > 0 && key.length >= widths[0];
    }

    /** The first part of a key for which {@link #beginsWithLong} holds. */
    public long firstLong(byte[] key) {
        return readLong(0, key, 0, key.length);
    }

    /** Whether keys descend with the values of a part; {@code part} counts in key order. */
    public boolean descends(int part) {
        return descending[part];
    }

    private long readLong(int part, byte[] key, int at, int to) {
        int width = widths[part];
        if (at + width > to) {
            throw PenstockException.corrupt("an encoded key ends within its part " + part);
        }
        long bits = 0;
        for (int i = 0; i < width; i++) {
            bits = bits << 8 | (key[at + i] & 0xFF);
        }
        long flipped = descending[part] ? ~bits : bits;
        int shift = 64 - 8 * width;
        return ((flipped ^ (1L << (8 * width - 1))) << shift) >> shift;
    }

    private int readBytes(int part, byte[] key, int from, int to, BytesColumn out, int row) {
        byte mask = (byte) (descending[part] ? 0xFF : 0);
        byte[] value = new byte[to - from];
        int length = 0;
        int at = from;
        if (widths[part] < 0) {
            for (; length < -widths[part] && at < to; at++) {
                value[length++] = (byte) (key[at] ^ mask);
            }
        } else {
            while (at + 1 < to && !(key[at] == mask && key[at + 1] == mask)) {
                value[length++] = (byte) (key[at] ^ mask);
                if (key[at] == mask && key[++at] != ~mask) {
                    throw PenstockException.corrupt(
                            "an encoded key has no form that its part " + part + " can have");
                }
                at++;
            }
            at += 2;
        }
        if (at > to || length < -widths[part]) {
            throw PenstockException.corrupt("an encoded key ends within its part " + part);
        }
        out.append(row, value, 0, length);
        return at;
    }

    /** Positive: bytes of a LONG; negative: bytes of a fixed byte string; 0: varying. */
    private static int width(ColumnType type) {
        if (type.kind() == PhysicalKind.LONG) {
            return type.plainBytes();
        }
        return type.plainBytes() > 0 ? -type.plainBytes() : 0;
    }
}
