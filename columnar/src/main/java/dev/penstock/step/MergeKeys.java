package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnSums;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.Printable;
import dev.penstock.convert.KeyFormatter;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.SegmentReader;
import dev.penstock.sort.RowOrder;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The key columns of a unit: which rows stay, and in which order. */
final class MergeKeys {
    /** Characters of a key that a message shows. */
    static final int MAX_KEY_TEXT = 200;

    private final TableSchema schema;
    private DuplicatePolicy policy = DuplicatePolicy.ERROR;
    private final int deletedColumn;
    private final KeyCodec codec;
    private final int[] columns;
    private final RowOrder order;
    private final ColumnBatch batch;

    /** Rows that the batch has room for. */
    private int capacity;

    private final LongColumn deleted = new LongColumn(0);
    private final BlockCursor cursor = new BlockCursor();
    private int[] kept = new int[0];

    /** For each output row its row in the unit; null if they are the same. */
    private int @Nullable [] output;

    private int rowCount;
    private long duplicatesDropped;
    private long deletedDropped;
    private final @Nullable DroppedRows dropped;
    private final List<byte[]> rejected = new ArrayList<>();
    private long rejectedBytes;

    /**
     * @param sums whether to sum up duplicates that are left out
     */
    MergeKeys(TableSchema schema, int deletedColumn, boolean sums) {
        dropped = sums ? new DroppedRows(schema) : null;
        this.schema = schema;
        this.deletedColumn = deletedColumn;
        codec = new KeyCodec(schema);
        columns = codec.columns();
        order = new RowOrder(schema);
        batch = ColumnBatch.forColumns(schema.columns(), 0);
    }

    /** Starts a merge. */
    void begin(DuplicatePolicy newPolicy) {
        policy = newPolicy;
        duplicatesDropped = 0;
        deletedDropped = 0;
        if (dropped != null) {
            dropped.begin();
        }
        rejected.clear();
        rejectedBytes = 0;
    }

    /** Lets go of the runs. */
    void end() {
        cursor.close();
        if (dropped != null) {
            dropped.end();
        }
    }

    /** Finds the output rows of a unit. */
    void find(MergeUnits unit) {
        int rows = unit.rowCount();
        if (capacity < rows) {
            // Units have about as many rows each.
            capacity = rows + (rows >> 3);
        }
        for (int column : columns) {
            batch.column(column).ensureRows(capacity);
            int row = 0;
            for (int slice = 0; slice < unit.sliceCount(); slice++) {
                row = decode(unit, slice, column, row);
            }
        }
        order.find(batch, rows);
        boolean anyDeleted = deletedColumn >= 0 && decodeDeleted(unit);
        if (order.hasDuplicates() || anyDeleted) {
            select(unit, rows, anyDeleted);
            output = kept;
        } else {
            output = order.isIdentity() ? null : order.rows();
            rowCount = rows;
        }
    }

    private int decode(MergeUnits unit, int slice, int column, int row) {
        SegmentReader reader = unit.reader(slice);
        long from = unit.from(slice);
        int at = row;
        while (from < unit.to(slice)) {
            int block = reader.blockOf(from);
            int first = (int) (from - reader.blockStartRow(block));
            int count =
                    (int) Math.min(unit.to(slice) - from, (long) reader.blockRows(block) - first);
            cursor.open(reader, column, block);
            cursor.append(first, count, batch.column(column), at);
            at += count;
            from += count;
        }
        return at;
    }

    private boolean decodeDeleted(MergeUnits unit) {
        int row = 0;
        boolean any = false;
        for (int slice = 0; slice < unit.sliceCount(); slice++) {
            SegmentReader reader = unit.reader(slice);
            long from = unit.from(slice);
            int end = row + (int) (unit.to(slice) - from);
            deleted.ensureRows(end);
            if (!MergeDictionaries.has(reader, deletedColumn)) {
                Arrays.fill(deleted.values(), row, end, 0);
                row = end;
                continue;
            }
            while (row < end) {
                int block = reader.blockOf(from);
                int first = (int) (from - reader.blockStartRow(block));
                int count = Math.min(end - row, reader.blockRows(block) - first);
                cursor.open(reader, deletedColumn, block);
                cursor.append(first, count, deleted, row);
                for (int i = row; i < row + count; i++) {
                    any |= deleted.values()[i] != 0;
                }
                row += count;
                from += count;
            }
        }
        return any;
    }

    /** Resolves duplicates, then leaves out deleted rows. */
    private void select(MergeUnits unit, int rows, boolean anyDeleted) {
        if (kept.length < rows) {
            kept = new int[rows + (rows >> 2)];
        }
        int count;
        if (order.hasDuplicates()) {
            count = resolve(rows);
            if (dropped != null) {
                dropped.add(unit, kept, count);
            }
        } else {
            count = rows;
            for (int place = 0; place < rows; place++) {
                kept[place] = order.row(place);
            }
        }
        if (anyDeleted) {
            int before = count;
            count = 0;
            for (int i = 0; i < before; i++) {
                kept[count] = kept[i];
                count += deleted.values()[kept[i]] == 0 ? 1 : 0;
            }
            deletedDropped += before - count;
        }
        rowCount = count;
    }

    private int resolve(int rows) {
        int count = 0;
        for (int place = 0; place < rows; place++) {
            int row = order.row(place);
            if (place == 0 || !order.sameAsPrevious(place)) {
                kept[count++] = row;
                continue;
            }
            switch (policy.within()) {
                case ERROR ->
                        throw PenstockException.data(
                                        "The key "
                                                + keyText(row)
                                                + " occurs more than once, which the duplicate"
                                                + " policy \"error\" does not allow.")
                                .withKey(codec.encode(batch, row));
                case KEEP_FIRST -> {}
                case KEEP_LAST -> kept[count - 1] = row;
                case REJECT -> reject(place, row);
            }
        }
        duplicatesDropped += rows - count;
        return count;
    }

    /** Names the key of the second of equal rows, until one is beyond a region's answer. */
    private void reject(int place, int row) {
        boolean third = place > 1 && order.sameAsPrevious(place - 1);
        boolean full =
                rejected.size() > DuplicateKey.MAX_PER_REGION
                        || rejectedBytes > DuplicateKey.MAX_BYTES_PER_REGION;
        if (!third && !full) {
            byte[] key = codec.encode(batch, row);
            rejectedBytes += key.length;
            rejected.add(key);
        }
    }

    private String keyText(int row) {
        return Printable.shortened(KeyFormatter.format(schema, batch, row), MAX_KEY_TEXT);
    }

    /** Output rows of the unit. */
    int rowCount() {
        return rowCount;
    }

    /** For each output row its row in the unit; null if they are the same. */
    int @Nullable [] order() {
        return output;
    }

    /** Appends the key of an output row. */
    void encode(int outputRow, ByteBuilder out) {
        int[] rows = output;
        codec.encode(batch, rows == null ? outputRow : rows[outputRow], out);
    }

    /** Keys of rows left out that a reject names, ascending. */
    List<byte[]> rejected() {
        return rejected;
    }

    long duplicatesDropped() {
        return duplicatesDropped;
    }

    /** Sums of the rows that {@link #duplicatesDropped} counts; none if they are not asked for. */
    ColumnSums droppedSums() {
        return dropped == null ? ColumnSums.NONE : dropped.sums();
    }

    long deletedDropped() {
        return deletedDropped;
    }
}
