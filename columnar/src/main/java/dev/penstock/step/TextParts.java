package dev.penstock.step;

import dev.penstock.parse.RowIndex;

/**
 * Where the rows of each part of a text end, if it is one of several that lie one after another.
 * Owned by one thread.
 */
final class TextParts {
    private int[] textEnds = new int[0];
    private int[] rowEnds = new int[0];
    private int count;
    private int next;

    /**
     * Begins with a text of {@code newCount} parts.
     *
     * @param newTextEnds where each ends, ascending, after whole records
     * @param newRowEnds gets the rows up to there
     */
    void begin(int[] newTextEnds, int[] newRowEnds, int newCount) {
        textEnds = newTextEnds;
        rowEnds = newRowEnds;
        count = newCount;
        next = 0;
    }

    /**
     * Finds the parts that end before one of some rows begins.
     *
     * @param row so many rows came before these
     * @param firstRow the first of these in the index
     * @param faults those of these rows that are left out
     */
    void add(int row, RowIndex index, int firstRow, int rows, RowFaults faults) {
        while (next < count && textEnds[next] <= index.rowStart(firstRow + rows - 1)) {
            int before = rowsBefore(textEnds[next], index, firstRow, rows);
            rowEnds[next++] = row + before - faultsBefore(before, faults);
        }
    }

    /** How many of the rows begin before a position; not all of them do. */
    private static int rowsBefore(int position, RowIndex index, int firstRow, int rows) {
        int low = 0;
        int high = rows - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (index.rowStart(firstRow + middle) >= position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private static int faultsBefore(int row, RowFaults faults) {
        int before = 0;
        for (int i = 0; faults.count() > 0 && i < row; i++) {
            before += faults.has(i) ? 1 : 0;
        }
        return before;
    }

    /** There are no more rows than these. */
    void end(int rows) {
        while (next < count) {
            rowEnds[next++] = rows;
        }
        count = 0;
    }
}
