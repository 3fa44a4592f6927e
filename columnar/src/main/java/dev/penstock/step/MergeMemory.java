package dev.penstock.step;

import dev.penstock.dict.TokenTable;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockMemory;
import dev.penstock.segment.SegmentReader;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/**
 * How many rows a unit of a merge may have, so that what it holds of them stays within a limit. A
 * unit holds its rows of one column, decoded and in order, and the encoded blocks of all columns in
 * buffers that grow by half. Rows of some key ranges may be far wider than others, so each block is
 * looked at.
 */
final class MergeMemory {
    /** Key columns, the order of the rows and what sorting them needs, about. */
    private static final long KEY_ROW_BYTES = 32;

    /** Of the heap, for the rows of one key. */
    private static final int MOST_QUARTERS = 3;

    private final MergeLimits limits;

    /** By run and block: what the block's rows take in a unit. */
    private final long[][] blockBytes;

    /** The same of what is decoded at a time, before rows are dropped. */
    private final long[][] decodedBytes;

    /** The limit in rows, less if rows are so wide that they would exceed the limit in bytes. */
    private final long unitRows;

    /**
     * Looks at all blocks.
     *
     * @param runs none empty
     * @param dictionaries of the output: byte strings of a column that has none are decoded
     * @param tables of the output, by column: byte strings become codes of them
     */
    MergeMemory(
            TableSchema schema,
            List<Merge.Run> runs,
            MergeLimits limits,
            MergeDictionaries dictionaries,
            @Nullable TokenTable[] tables) {
        this.limits = limits;
        blockBytes = new long[runs.size()][];
        decodedBytes = new long[runs.size()][];
        long rows = 1;
        long bytes = 0;
        for (int run = 0; run < blockBytes.length; run++) {
            SegmentReader reader = runs.get(run).reader();
            decodedBytes[run] = new long[reader.blockCount()];
            blockBytes[run] = blockBytes(schema, reader, dictionaries, tables, decodedBytes[run]);
            rows += reader.rowCount();
            for (long taken : blockBytes[run]) {
                bytes += taken;
            }
        }
        unitRows = Math.clamp(limits.unitBytes() / (bytes / rows + 1), 1, limits.unitRows());
    }

    /**
     * @param toDecode gets what is decoded at a time
     */
    private static long[] blockBytes(
            TableSchema schema,
            SegmentReader reader,
            MergeDictionaries dictionaries,
            @Nullable TokenTable[] tables,
            long[] toDecode) {
        int blocks = reader.blockCount();
        long[] widest = new long[blocks];
        long[] encoded = new long[blocks];
        int columns = Math.min(schema.columnCount(), reader.schema().columnCount());
        for (int column = 0; column < columns; column++) {
            boolean codes = dictionaries.dictionary(column) != null;
            for (int block = 0; block < blocks; block++) {
                long decoded = BlockMemory.decoded(reader, column, block, codes, tables[column]);
                widest[block] = Math.max(widest[block], decoded);
                encoded[block] += BlockMemory.stored(reader, column, block);
            }
        }
        for (int block = 0; block < blocks; block++) {
            long rows = reader.blockRows(block);
            toDecode[block] = widest[block] + KEY_ROW_BYTES * rows;
            widest[block] =
                    2 * widest[block] + encoded[block] + encoded[block] / 2 + KEY_ROW_BYTES * rows;
        }
        return widest;
    }

    /** Most rows of a unit, if they are as wide as all rows are on average. */
    long unitRows() {
        return unitRows;
    }

    /**
     * Refuses a unit of so many rows of one key, which cannot be cut, that it would not fit into
     * memory before all but one of them are dropped: its key columns, and its rows of one column.
     *
     * @param key for the message
     */
    void check(MergeUnits unit, Supplier<String> key) {
        double bytes = 0;
        for (int slice = 0; slice < unit.sliceCount(); slice++) {
            long[] ofBlocks = decodedBytes[unit.run(slice)];
            SegmentReader reader = unit.reader(slice);
            long row = unit.from(slice);
            while (row < unit.to(slice)) {
                int block = reader.blockOf(row);
                long next = Math.min(unit.to(slice), reader.blockStartRow(block + 1));
                bytes += (double) ofBlocks[block] / reader.blockRows(block) * (next - row);
                row = next;
            }
        }
        if (bytes > (double) Runtime.getRuntime().maxMemory() / 4 * MOST_QUARTERS) {
            throw new PenstockException(
                    ErrorCategory.LIMIT,
                    "About "
                            + unit.rows()
                            + " rows have the same key, "
                            + key.get()
                            + ", more than fit into memory at once. Mend the keys, or give the"
                            + " server more heap.");
        }
    }

    /**
     * How many rows of a unit some rows of a block count for: more than they are, if a unit of so
     * many of them would exceed the limit in bytes.
     *
     * @param ofRows most rows of a unit
     */
    long weight(int run, SegmentReader reader, int block, long rows, long ofRows) {
        double rowBytes = (double) blockBytes[run][block] / reader.blockRows(block);
        return Math.max(rows, (long) (rows * rowBytes * ofRows / limits.unitBytes()));
    }
}
