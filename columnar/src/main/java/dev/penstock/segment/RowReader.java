package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.kernel.BitPacking;

/**
 * Decodes single values of a segment. Packed values and codes are fetched one by one from where
 * they are; of other blocks a cursor decodes the value.
 */
final class RowReader {
    /** Bytes of a block of packed values before the number of their bits: the smallest value. */
    private static final int BASE_BYTES = 8;

    private static final int NOT_PACKED = -1;

    private RowReader() {}

    /** A value to {@code outRow} of a column's data. */
    static void read(SegmentReader reader, int column, long row, ColumnData out, int outRow) {
        int block = reader.blockOf(row);
        int inBlock = (int) (row - reader.blockStartRow(block));
        int bits = bits(reader, column, block);
        if (bits == NOT_PACKED) {
            reader.readByCursor(column, block, inBlock, out, outRow);
        } else {
            long packed = packed(reader, column, block, inBlock, bits);
            enter(reader, column, block, packed, out, outRow);
        }
    }

    /**
     * A row of some columns, to those of {@code out} with the same numbers. The places of a row's
     * values are far from each other, and most are in no cache: so each loop asks for one thing of
     * every column, and none waits for the answer of another.
     */
    static void read(SegmentReader reader, int[] columns, long row, ColumnBatch out, int outRow) {
        int block = reader.blockOf(row);
        int inBlock = (int) (row - reader.blockStartRow(block));
        int[] bits = new int[columns.length];
        long[] packed = new long[columns.length];
        for (int i = 0; i < columns.length; i++) {
            bits[i] = bits(reader, columns[i], block);
        }
        for (int i = 0; i < columns.length; i++) {
            if (bits[i] != NOT_PACKED) {
                packed[i] = packed(reader, columns[i], block, inBlock, bits[i]);
            }
        }
        for (int i = 0; i < columns.length; i++) {
            ColumnData data = out.column(columns[i]);
            if (bits[i] == NOT_PACKED) {
                reader.readByCursor(columns[i], block, inBlock, data, outRow);
            } else {
                enter(reader, columns[i], block, packed[i], data, outRow);
            }
        }
    }

    /**
     * Whether the values of rows [from, to) are packed in one block that {@link #firstRow} can
     * search.
     */
    static boolean searches(SegmentReader reader, int column, long from, long to) {
        int block = reader.blockOf(from);
        return to <= reader.blockStartRow(block) + reader.blockRows(block)
                && reader.dictionary(column) == null
                && bits(reader, column, block) != NOT_PACKED;
    }

    /**
     * The first of the rows [from, to) whose value does not come before another one, or {@code to}.
     * The values are in order.
     *
     * @param descending whether the greatest value comes first
     * @param after whether a value that is equal comes before, too
     */
    static long firstRow(
            SegmentReader reader,
            int column,
            long from,
            long to,
            long value,
            boolean descending,
            boolean after) {
        int block = reader.blockOf(from);
        long start = reader.blockStartRow(block);
        int bits = bits(reader, column, block);
        int limit = after ? 1 : 0;
        long low = from;
        long high = to;
        while (low < high) {
            long middle = low + high >>> 1;
            long found = packed(reader, column, block, (int) (middle - start), bits);
            int order = descending ? Long.compare(value, found) : Long.compare(found, value);
            if (order < limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Bits of each packed value or code, or {@link #NOT_PACKED}: the block must be decoded. */
    private static int bits(SegmentReader reader, int column, int block) {
        BlockTable table = reader.table(column);
        byte encoding = table.encoding(block);
        boolean known =
                reader.isVerified(column, block)
                        && table.nullCount(block) == 0
                        && (encoding == SegmentFormat.BLOCK_PACKED
                                || encoding == SegmentFormat.BLOCK_CODES
                                || Scale.isScaled(encoding));
        return known ? reader.byteAt(table.offset(block) + bitsAt(encoding)) & 0xFF : NOT_PACKED;
    }

    /** Bytes of a block before the number of bits. */
    private static int bitsAt(byte encoding) {
        if (Scale.isScaled(encoding)) {
            return Scale.BITS_AT;
        }
        return encoding == SegmentFormat.BLOCK_PACKED ? BASE_BYTES : 0;
    }

    /** A value or code. */
    private static long packed(SegmentReader reader, int column, int block, int inBlock, int bits) {
        BlockTable table = reader.table(column);
        long at = table.offset(block);
        byte encoding = table.encoding(block);
        int bitsAt = bitsAt(encoding);
        long distance = BitPacking.get(reader.bytes(), at + bitsAt + 1, inBlock, bits);
        if (bitsAt == 0) {
            return distance;
        }
        boolean scaled = Scale.isScaled(encoding);
        long baseAt = scaled ? at + Scale.BASE_AT : at;
        long number = reader.bytes().get(SegmentFooter.LONG_LE, baseAt) + distance;
        return scaled ? Scale.value(encoding, scale(reader, at), number) : number;
    }

    private static int scale(SegmentReader reader, long at) {
        return reader.byteAt(at) & 0xFF | (reader.byteAt(at + 1) & 0xFF) << 8;
    }

    private static void enter(
            SegmentReader reader, int column, int block, long packed, ColumnData out, int outRow) {
        out.ensureRows(outRow + 1);
        if (out.validity().hasNulls()) {
            out.validity().words()[outRow >> 6] |= 1L << outRow;
        }
        switch (reader.dictionary(column)) {
            case null -> ((LongColumn) out).values()[outRow] = packed;
            case LongDictionary longs ->
                    ((LongColumn) out).values()[outRow] =
                            longs.value(code(reader, column, block, packed, longs));
            case BytesDictionary strings -> {
                int code = code(reader, column, block, packed, strings);
                ((BytesColumn) out)
                        .append(
                                outRow,
                                strings.data(),
                                strings.offsets()[code],
                                strings.length(code));
            }
        }
    }

    private static int code(
            SegmentReader reader, int column, int block, long packed, Dictionary dictionary) {
        if (packed >= dictionary.size()) {
            throw reader.corrupt(
                    column, block, "has the code " + packed + " of " + dictionary.size());
        }
        return (int) packed;
    }
}
