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
        blockCount = 0;
        long bytes = 0;
        for (int column : byteColumns) {
            int[] offsets = batch.bytes(column).offsets();
            bytes += offsets[to] - offsets[from];
        }
        int row = from;
        while (row < to) {
            int rows = Math.min(SegmentFormat.BLOCK_ROWS, to - row);
            if (bytes > SegmentFormat.BLOCK_BYTES) {
                rows = fitting(batch, row, rows);
            }
            add(rows);
            row += rows;
        }
        return blockRows;
    }

    /** The same of rows whose byte strings fit into one block. */
    int[] byRows(int rows) {
        blockCount = 0;
        for (int row = 0; row < rows; row += SegmentFormat.BLOCK_ROWS) {
            add(Math.min(SegmentFormat.BLOCK_ROWS, rows - row));
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
