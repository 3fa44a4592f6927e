package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnHashes;

import java.util.Arrays;

/**
 * Sums of the columns of a chunk, part by part, in the order in which the parts were parsed. Of
 * rows that lie within parts, or in none, they are made when they are asked for.
 *
 * <p>Phases of a chunk: {@link #clear}; {@link #add} after each part, or never; {@link #of} when it
 * is known which rows belong together. Owned by one thread; keeps no batch.
 */
final class PartSums {
    private final int columnCount;
    private final ColumnHashes hashes;
    private final long[] asked;

    /** Where each part ends; it begins where the one before it ends. */
    private int[] ends = new int[16];

    private int partCount;

    /** One for each part and column. */
    private long[] sums = new long[0];

    /**
     * @param hashes scratch memory
     */
    PartSums(int columnCount, ColumnHashes hashes) {
        this.columnCount = columnCount;
        this.hashes = hashes;
        asked = new long[columnCount];
    }

    /** Another chunk begins. */
    void clear() {
        partCount = 0;
    }

    /** The rows of the batch after the last part are the next one. */
    void add(ColumnBatch batch) {
        int from = begin(partCount);
        if (partCount == ends.length) {
            ends = Arrays.copyOf(ends, 2 * partCount);
        }
        if (sums.length < ends.length * columnCount) {
            sums = Arrays.copyOf(sums, ends.length * columnCount);
        }
        ends[partCount] = batch.rowCount();
        for (int column = 0; column < columnCount; column++) {
            sums[partCount * columnCount + column] =
                    hashes.sum(batch, column, from, batch.rowCount());
        }
        partCount++;
    }

    private int begin(int part) {
        return part == 0 ? 0 : ends[part - 1];
    }

    /** The sums of rows [from, to), one per column, valid until the next call. */
    long[] of(ColumnBatch batch, int from, int to) {
        Arrays.fill(asked, 0);
        int row = from;
        for (int part = 0; part < partCount && row < to; part++) {
            if (begin(part) >= row && ends[part] <= to) {
                addRows(batch, row, begin(part));
                for (int column = 0; column < columnCount; column++) {
                    asked[column] += sums[part * columnCount + column];
                }
                row = ends[part];
            }
        }
        addRows(batch, row, to);
        return asked;
    }

    private void addRows(ColumnBatch batch, int from, int to) {
        for (int column = 0; column < columnCount && from < to; column++) {
            asked[column] += hashes.sum(batch, column, from, to);
        }
    }
}
