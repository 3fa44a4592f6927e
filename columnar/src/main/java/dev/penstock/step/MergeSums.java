package dev.penstock.step;

import dev.penstock.batch.ColumnSums;
import dev.penstock.dict.TokenTable;
import dev.penstock.segment.BlockSums;

import org.jspecify.annotations.Nullable;

/**
 * Sums of the rows that a merge writes, recomputed from the bytes of each block when it is written.
 * They are to be compared with the sums of the rows that came in.
 */
final class MergeSums {
    private final BlockSums[] columns;
    private ColumnSums all;

    MergeSums(int columnCount) {
        columns = new BlockSums[columnCount];
        BlockSums.Stage stage = new BlockSums.Stage();
        for (int i = 0; i < columnCount; i++) {
            columns[i] = new BlockSums(stage);
        }
        all = new ColumnSums(columnCount);
    }

    /** Starts a merge. */
    void begin(MergeDictionaries dictionaries, @Nullable TokenTable[] tokens) {
        for (int i = 0; i < columns.length; i++) {
            columns[i].begin(dictionaries.dictionary(i), tokens[i]);
        }
        all = new ColumnSums(columns.length);
    }

    /** Adds the column's next block. */
    void add(int index, MergeColumn column, int rows) {
        columns[index].add(column.nextBlock(), rows, column.encodedBytes(), column.nextBlockAt());
    }

    /** The sums of a segment that ends here. */
    ColumnSums take(long rows) {
        ColumnSums segment = new ColumnSums(columns.length);
        segment.addRows(rows);
        for (int i = 0; i < columns.length; i++) {
            segment.addToColumn(i, columns[i].take());
        }
        all.add(segment);
        return segment;
    }

    /** Of all segments of the merge. */
    ColumnSums all() {
        return all.copy();
    }
}
