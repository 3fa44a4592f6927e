package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Encodes the keys of single rows of segments of one table, one segment after the other. A cursor
 * per key part keeps the last block open, so that a binary search decompresses a block of byte
 * strings once, and adds up lengths for each probe from an anchor on only. Owned by one thread;
 * keeps its memory.
 */
public final class KeyReader {
    /** A row of a block of which it is known where it begins: rows after it are found from it. */
    private record Anchor(SegmentReader reader, int block, int row, int start) {
        boolean isOf(SegmentReader anyReader, int anyBlock) {
            return reader == anyReader && block == anyBlock;
        }

        int start(BlockCursor cursor, int wantedRow) {
            return cursor.start(wantedRow, row, start);
        }
    }

    private SegmentReader reader;
    private final int[] columns;
    private final BlockCursor[] cursors;
    private final ColumnData[] parts;
    private final @Nullable Anchor[] anchors;
    private final ByteBuilder key = new ByteBuilder(64);

    /**
     * A reader that is at a segment.
     *
     * @param reader of the table, as are all others that it is to go to
     */
    public KeyReader(SegmentReader reader) {
        this.reader = reader;
        this.columns = reader.codec().columns();
        this.cursors = new BlockCursor[columns.length];
        this.parts = new ColumnData[columns.length];
        this.anchors = new Anchor[columns.length];
        for (int part = 0; part < columns.length; part++) {
            parts[part] = reader.isLong(columns[part]) ? new LongColumn(1) : new BytesColumn(1, 64);
        }
    }

    /** Goes to another segment. */
    void goTo(SegmentReader newReader) {
        reader = newReader;
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
                    BlockCursor cursor = cursor(part, column, block);
                    int start = anchor(part, cursor, block, inBlock).start(cursor, inBlock);
                    cursor.strings(inBlock, 1, start, strings, 0);
                    reader.codec().putBytes(part, strings.data(), 0, strings.offsets()[1], key);
                }
            }
        }
        return key;
    }

    /** A copy of the key of a row of the segment that this is at. */
    public byte[] copyOfKey(long rowNumber) {
        return key(rowNumber).toByteArray();
    }

    /** The keys of rows {@code from}, {@code from + step} and so on, before row {@code to}. */
    List<byte[]> keys(long from, long to, long step) {
        List<byte[]> keys = new ArrayList<>();
        for (long row = from; row < to; row += step) {
            keys.add(copyOfKey(row));
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

    /** The row with exactly that key, or -1, of a segment in key order, to which this goes. */
    public long find(SegmentReader segment, byte[] encodedKey) {
        goTo(segment);
        long row = segment.lowerBound(encodedKey, this);
        return row < segment.rowCount() && compare(row, encodedKey) == 0 ? row : -1;
    }

    private int compare(long row, byte[] encodedKey) {
        key(row);
        return ByteAccess.compare(key.array(), 0, key.length(), encodedKey, 0, encodedKey.length);
    }

    private long search(byte[] encodedKey, long from, long to) {
        long low = from;
        long high = to;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (compare(middle, encodedKey) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Goes to the anchor before a row, from the last one if that comes before it. */
    private Anchor anchor(int part, BlockCursor cursor, int block, int row) {
        Anchor anchor = anchors[part];
        int wanted = row & -SegmentFormat.KEY_INDEX_ROWS;
        if (anchor == null || !anchor.isOf(reader, block) || anchor.row > wanted) {
            anchor = new Anchor(reader, block, 0, 0);
        }
        if (anchor.row < wanted) {
            anchor = new Anchor(reader, block, wanted, anchor.start(cursor, wanted));
        }
        anchors[part] = anchor;
        return anchor;
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
