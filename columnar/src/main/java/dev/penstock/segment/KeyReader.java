package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;

import java.util.ArrayList;
import java.util.List;

/**
 * Encodes the keys of single rows of a segment. A cursor per key part keeps the last block open, so
 * that a binary search decodes the lengths of a block of byte strings once a probe and decompresses
 * it once. Owned by one thread.
 */
final class KeyReader {
    private final SegmentReader reader;
    private final int[] columns;
    private final BlockCursor[] cursors;
    private final ColumnData[] parts;
    private final ByteBuilder key = new ByteBuilder(64);

    KeyReader(SegmentReader reader) {
        this.reader = reader;
        this.columns = reader.codec().columns();
        this.cursors = new BlockCursor[columns.length];
        this.parts = new ColumnData[columns.length];
        for (int part = 0; part < columns.length; part++) {
            parts[part] = reader.isLong(columns[part]) ? new LongColumn(1) : new BytesColumn(1, 64);
        }
    }

    /** The key of a row; valid until the next call. */
    ByteBuilder key(long rowNumber) {
        key.clear();
        int block = reader.blockOf(rowNumber);
        int inBlock = (int) (rowNumber - reader.blockStartRow(block));
        for (int part = 0; part < columns.length; part++) {
            int column = columns[part];
            switch (parts[part]) {
                case LongColumn longs -> {
                    reader.readRow(column, rowNumber, longs, 0);
                    reader.codec().putLong(part, longs.values()[0], key);
                }
                case BytesColumn strings -> {
                    cursor(part, column, block).strings(inBlock, 1, strings, 0);
                    reader.codec().putBytes(part, strings.data(), 0, strings.offsets()[1], key);
                }
            }
        }
        return key;
    }

    /** The keys of rows {@code from}, {@code from + step} and so on, before row {@code to}. */
    List<byte[]> keys(long from, long to, long step) {
        List<byte[]> keys = new ArrayList<>();
        for (long row = from; row < to; row += step) {
            keys.add(key(row).toByteArray());
        }
        return keys;
    }

    /**
     * The first row in [from, to] that is not less; row {@code to} is known not to be. Packed
     * values of the first key part are searched where they are; keys are put together only of the
     * rows that have the wanted one.
     */
    long lowerBound(byte[] encodedKey, long from, long to) {
        int first = columns[0];
        if (from == to
                || !reader.codec().beginsWithLong(encodedKey)
                || !RowReader.searches(reader, first, from, to)) {
            return search(encodedKey, from, to);
        }
        long value = reader.codec().firstLong(encodedKey);
        boolean descends = reader.codec().descends(0);
        long low = RowReader.firstRow(reader, first, from, to, value, descends, false);
        long high = RowReader.firstRow(reader, first, low, to, value, descends, true);
        return search(encodedKey, low, high);
    }

    private long search(byte[] encodedKey, long from, long to) {
        long low = from;
        long high = to;
        while (low < high) {
            long middle = (low + high) >>> 1;
            key(middle);
            if (ByteAccess.compare(key.array(), 0, key.length(), encodedKey, 0, encodedKey.length)
                    < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private BlockCursor cursor(int part, int column, int block) {
        BlockCursor cursor = cursors[part];
        if (cursor == null) {
            cursor = new BlockCursor();
            cursors[part] = cursor;
        }
        cursor.open(reader, column, block);
        return cursor;
    }
}
