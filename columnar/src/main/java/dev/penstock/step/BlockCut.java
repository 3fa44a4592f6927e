package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentFormat;

import java.util.Arrays;

/** Cuts a slice of a batch into blocks by the rule of {@link SegmentFormat}. */
final class BlockCut {
    private final int[] byteColumns;
    private int[] blockRows = new int[16];
    private int blockCount;

    BlockCut(TableSchema schema) {
        int[] columns = new int[schema.columnCount()];
        int count = 0;
        for (int i = 0; i < columns.length; i++) {
            if (schema.column(i).type().kind() == PhysicalKind.BYTES) {
                columns[count++] = i;
            }
        }
        byteColumns = Arrays.copyOf(columns, count);
    }

    int blockCount() {
        return blockCount;
    }

    /** Rows of each block, of which {@link #blockCount} are meant. */
    int[] run(ColumnBatch batch, int from, int to) {
        if (bytes(batch, from, to) <= SegmentFormat.BLOCK_BYTES) {
            return byRows(to - from);
        }
        blockCount = 0;
        int row = from;
        while (row < to) {
            int rows = fitting(batch, row, Math.min(SegmentFormat.BLOCK_ROWS, to - row));
            add(rows);
            row += rows;
        }
        return blockRows;
    }

    /** Bytes of the rows' byte strings, or more if these are few enough for a block. */
    private long bytes(ColumnBatch batch, int from, int to) {
        long bytes = 0;
        long mostOfShared = 0;
        for (int column : byteColumns) {
            BytesColumn held = (BytesColumn) batch.held(column);
            if (batch.isShared(column)) {
                mostOfShared += batch.spans().mostBytes(held, from, to);
            } else {
                bytes += held.offsets()[to] - held.offsets()[from];
            }
        }
        if (bytes + mostOfShared <= SegmentFormat.BLOCK_BYTES) {
            return bytes + mostOfShared;
        }
        for (int column : byteColumns) {
            if (batch.isShared(column)) {
                bytes += batch.spans().bytes((BytesColumn) batch.held(column), from, to);
            }
        }
        return bytes;
    }

    /**
     * The same of rows whose byte strings fit into one block: as few blocks as possible, all of
     * about as many rows, so that a merge finds none too small to be taken as it is.
     */
    int[] byRows(int rows) {
        blockCount = 0;
        int left = rows;
        while (left > 0) {
            int blocks = (left + SegmentFormat.BLOCK_ROWS - 1) / SegmentFormat.BLOCK_ROWS;
            int next = (left + blocks - 1) / blocks;
            add(next);
            left -= next;
        }
        return blockRows;
    }

    private void add(int rows) {
        if (blockCount == blockRows.length) {
            blockRows = Arrays.copyOf(blockRows, 2 * blockCount);
        }
        blockRows[blockCount++] = rows;
    }

    /** How many of the next rows have at most the bytes of a block; at least 1. */
    private int fitting(ColumnBatch batch, int row, int rows) {
        int low = 1;
        int high = rows;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            long bytes = 0;
            for (int column : byteColumns) {
                BytesColumn strings = batch.bytes(column);
                bytes += strings.offsets()[row + middle] - strings.offsets()[row];
            }
            if (bytes <= SegmentFormat.BLOCK_BYTES) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
