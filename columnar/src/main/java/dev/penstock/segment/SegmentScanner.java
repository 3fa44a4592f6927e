package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.bytes.ByteBuilder;
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
    private final BlockCursor cursor = new BlockCursor();
    private final RowSelection selection;

    private final int[] selected = new int[SegmentFormat.BLOCK_ROWS];
    private int selectedCount;

    private final int[] keyColumns;
    private final ColumnBatch keyBatch;
    private final ColumnBatch keyScratch;
    private final int[] keyEnds;
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
        this.selection = new RowSelection(reader, cursor, range, predicate);
        this.keyColumns = reader.codec().columns();
        this.keyBatch = ColumnBatch.forColumns(reader.schema().columns(), 0);
        this.keyScratch = ColumnBatch.forColumns(reader.schema().columns(), 0);
        this.keyEnds = new int[withKeys ? SegmentFormat.BLOCK_ROWS : 0];
        List<Column> projected = new ArrayList<>();
        for (int column : projection) {
            projected.add(reader.schema().column(column));
        }
        this.scratch = ColumnBatch.forColumns(projected, 0);
    }

    /** Leaves rows out; before the first batch. */
    public void leaveOut(LeftOutRows rows) {
        selection.leaveOut(rows);
    }

    /**
     * Fills a batch with the next selected rows, at least one and at most a block's.
     *
     * @param out has the projected columns; cleared first
     * @return false at the end
     */
    public boolean next(ColumnBatch out) {
        try {
            return fill(out);
        } catch (InternalError e) {
            // Java may throw it some calls later than where the page was touched.
            throw reader.unreadable(e);
        }
    }

    private boolean fill(ColumnBatch out) {
        out.clear();
        if (!selection.next()) {
            return false;
        }
        int block = selection.block();
        selectedCount = selection.rows(selected);
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
        return selection.count();
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
            read(column, block, out, keyScratch.column(column));
        }
        key.clear();
        reader.codec().encodeAll(keyBatch, selectedCount, key, keyEnds);
        keys.ensureRows(selectedCount);
        System.arraycopy(keyEnds, 0, keys.offsets(), 1, selectedCount);
        keys.ensureBytes(key.length());
        System.arraycopy(key.array(), 0, keys.data(), 0, key.length());
    }
}
