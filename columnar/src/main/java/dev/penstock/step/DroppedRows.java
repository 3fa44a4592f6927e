package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.ColumnSums;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.SegmentReader;

import java.util.Arrays;

/**
 * Sums of the rows that a merge leaves out because another row has their key. Decodes the stretches
 * of blocks that they lie in once more, which costs nothing where keys are unique.
 */
final class DroppedRows {
    private final TableSchema schema;
    private final BlockCursor cursor = new BlockCursor();
    private final ColumnBatch stretch;
    private ColumnSums sums;
    private boolean[] isKept = new boolean[0];
    private int[] dropped = new int[0];
    private int[] inStretch = new int[0];

    DroppedRows(TableSchema schema) {
        this.schema = schema;
        stretch = ColumnBatch.forColumns(schema.columns(), 0);
        sums = new ColumnSums(schema.columnCount());
    }

    /** Starts a merge. */
    void begin() {
        sums = new ColumnSums(schema.columnCount());
    }

    /** Lets go of the runs. */
    void end() {
        cursor.close();
    }

    ColumnSums sums() {
        return sums.copy();
    }

    /** Adds the rows of a unit that are not among the first {@code count} of {@code kept}. */
    void add(MergeUnits unit, int[] kept, int count) {
        int rows = unit.rowCount();
        int droppedCount = collect(rows, kept, count);
        sums.addRows(droppedCount);
        int start = 0;
        int next = 0;
        for (int slice = 0; slice < unit.sliceCount(); slice++) {
            SegmentReader reader = unit.reader(slice);
            long from = unit.from(slice);
            while (from < unit.to(slice)) {
                int block = reader.blockOf(from);
                int first = (int) (from - reader.blockStartRow(block));
                int length =
                        (int)
                                Math.min(
                                        unit.to(slice) - from,
                                        (long) reader.blockRows(block) - first);
                int after = next;
                while (after < droppedCount && dropped[after] < start + length) {
                    inStretch[after - next] = dropped[after] - start;
                    after++;
                }
                if (after > next) {
                    add(reader, block, first, length, after - next);
                }
                next = after;
                start += length;
                from += length;
            }
        }
    }

    /** Puts the rows that are not kept in ascending order. */
    private int collect(int rows, int[] kept, int count) {
        if (isKept.length < rows) {
            isKept = new boolean[rows];
            dropped = new int[rows];
            inStretch = new int[rows];
        }
        Arrays.fill(isKept, 0, rows, false);
        for (int i = 0; i < count; i++) {
            isKept[kept[i]] = true;
        }
        int droppedCount = 0;
        for (int row = 0; row < rows; row++) {
            dropped[droppedCount] = row;
            droppedCount += isKept[row] ? 0 : 1;
        }
        return droppedCount;
    }

    /** Adds the rows {@link #inStretch} of a stretch of a block. */
    private void add(SegmentReader reader, int block, int first, int length, int count) {
        for (int column = 0; column < schema.columnCount(); column++) {
            ColumnData data = stretch.column(column);
            data.validity().clear();
            cursor.open(reader, column, block);
            cursor.append(first, length, data, 0);
            sums.addToColumn(column, data, inStretch, 0, count);
        }
    }
}
