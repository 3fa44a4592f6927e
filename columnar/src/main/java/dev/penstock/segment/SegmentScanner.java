package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kernel.BitRange;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.sort.Gather;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the rows of one segment that lie in a key range and match a predicate, block by block: the
 * key index bounds the rows, the predicate selects among them, and only then are the projected
 * columns of blocks with selected rows decoded. Owned by one thread.
 */
public final class SegmentScanner {
    /** Up to this many selected rows of a block are read one by one. */
    private static final int FEW_ROWS = 16;

    private final SegmentReader reader;
    private final int[] projection;
    private final boolean withKeys;
    private final boolean selectsAll;
    private final BlockCursor cursor = new BlockCursor();
    private final BlockFilter filter;
    private final long endRow;
    private long nextRow;

    private final long[] bits = new long[BlockFilter.WORDS];
    private final int[] selected = new int[SegmentFormat.BLOCK_ROWS];
    private int selectedCount;
    private int firstInBlock;
    private int endInBlock;

    private final int[] keyColumns;
    private final ColumnBatch keyBatch;
    private final ByteBuilder key = new ByteBuilder(64);
    private final BytesColumn keys = new BytesColumn(16, 256);
    private final ColumnBatch scratch;

    /**
     * Starts a scan.
     *
     * @param range keys to read; any but the unbounded range needs a segment in key order
     * @param projection columns of the batches, as table column indexes
     * @param withKeys whether {@link #keys} is wanted
     */
    public SegmentScanner(
            SegmentReader reader,
            KeyRange range,
            int[] projection,
            Predicate predicate,
            boolean withKeys) {
        this.reader = reader;
        this.projection = projection.clone();
        this.withKeys = withKeys;
        this.selectsAll = predicate instanceof Predicate.And and && and.terms().isEmpty();
        this.filter = BlockFilter.of(reader, cursor, predicate);
        this.nextRow = range.start().length == 0 ? 0 : reader.lowerBound(range.start());
        this.endRow = range.end().length == 0 ? reader.rowCount() : reader.lowerBound(range.end());
        this.keyColumns = reader.codec().columns();
        this.keyBatch = ColumnBatch.forColumns(reader.schema().columns(), 0);
        List<Column> projected = new ArrayList<>();
        for (int column : projection) {
            projected.add(reader.schema().column(column));
        }
        this.scratch = ColumnBatch.forColumns(projected, 0);
    }

    /**
     * Fills a batch with the next selected rows, at least one and at most a block's.
     *
     * @param out has the projected columns; cleared first
     * @return false at the end
     */
    public boolean next(ColumnBatch out) {
        out.clear();
        int block = nextBlock();
        if (block < 0) {
            return false;
        }
        for (int i = 0; i < projection.length; i++) {
            read(projection[i], block, out.column(i), scratch.column(i));
        }
        if (withKeys) {
            readKeys(block);
        }
        out.setRowCount(selectedCount);
        return true;
    }

    /** Encoded keys of the rows of the last batch, if they were asked for; valid until the next. */
    public BytesColumn keys() {
        return keys;
    }

    /** Rows selected from here to the end, which is then reached. */
    public long count() {
        if (selectsAll) {
            long rows = Math.max(0, endRow - nextRow);
            nextRow = endRow;
            return rows;
        }
        long count = 0;
        while (nextRow < endRow) {
            int block = startBlock();
            filter.select(block, reader.blockRows(block), bits);
            count += BitRange.count(bits, firstInBlock, endInBlock - firstInBlock);
        }
        return count;
    }

    /** Goes to the next block with selected rows; -1 at the end. */
    private int nextBlock() {
        while (nextRow < endRow) {
            int block = startBlock();
            select(block);
            if (selectedCount > 0) {
                return block;
            }
        }
        return -1;
    }

    /** Takes the part of the next block that lies in the range. */
    private int startBlock() {
        int block = reader.blockOf(nextRow);
        long start = reader.blockStartRow(block);
        firstInBlock = (int) (nextRow - start);
        endInBlock = (int) Math.min(reader.blockRows(block), endRow - start);
        nextRow = start + endInBlock;
        return block;
    }

    private void select(int block) {
        selectedCount = 0;
        if (selectsAll) {
            for (int row = firstInBlock; row < endInBlock; row++) {
                selected[selectedCount++] = row;
            }
            return;
        }
        filter.select(block, reader.blockRows(block), bits);
        for (int word = firstInBlock >> 6; word << 6 < endInBlock; word++) {
            long left = bits[word];
            while (left != 0) {
                int row = (word << 6) + Long.numberOfTrailingZeros(left);
                left &= left - 1;
                if (row >= firstInBlock && row < endInBlock) {
                    selected[selectedCount++] = row;
                }
            }
        }
    }

    /** Reads the selected rows of one column into the rows from 0 of an empty column. */
    private void read(int column, int block, ColumnData out, ColumnData spare) {
        int first = selected[0];
        int span = selected[selectedCount - 1] - first + 1;
        if (span == selectedCount) {
            cursor.open(reader, column, block);
            cursor.append(first, span, out, 0);
        } else if (selectedCount <= FEW_ROWS) {
            cursor.open(reader, column, block);
            for (int i = 0; i < selectedCount; i++) {
                cursor.append(selected[i], 1, out, i);
            }
        } else {
            spare.validity().clear();
            cursor.open(reader, column, block);
            cursor.append(0, reader.blockRows(block), spare, 0);
            Gather.rows(spare, reader.blockRows(block), selected, 0, selectedCount, out);
        }
    }

    private void readKeys(int block) {
        for (int column : keyColumns) {
            ColumnData out = keyBatch.column(column);
            out.validity().clear();
            ColumnData spare =
                    out instanceof LongColumn ? new LongColumn(0) : new BytesColumn(0, 0);
            read(column, block, out, spare);
        }
        key.clear();
        keys.ensureRows(selectedCount);
        for (int row = 0; row < selectedCount; row++) {
            reader.codec().encode(keyBatch, row, key);
            keys.offsets()[row + 1] = key.length();
        }
        keys.ensureBytes(key.length());
        System.arraycopy(key.array(), 0, keys.data(), 0, key.length());
    }
}
