package dev.penstock.batch;

import dev.penstock.schema.Column;
import dev.penstock.schema.PhysicalKind;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of some columns in memory. Filled by one step, read by the next, then cleared and filled
 * again; owned by one thread at a time. Columns are in the order the producer states (a table's
 * order unless it says otherwise).
 *
 * <p>A column has one value a row. While rows are added, columns that repeat their values row after
 * row may be shared instead: they have one value for each of the batch's {@link RowSpans}. Whoever
 * knows that asks for {@link #held}; {@link #column} gives a shared column its rows first, and from
 * then on it is like any other.
 */
public final class ColumnBatch {
    /** Most rows that room is made for before they have come. */
    private static final int MAX_EXPECTED_ROWS = 1 << 18;

    private final List<ColumnData> columns;
    private final RowSpans spans = new RowSpans();
    private final boolean[] shared;
    private int rowCount;

    public ColumnBatch(List<ColumnData> columns) {
        this.columns = List.copyOf(columns);
        this.shared = new boolean[columns.size()];
    }

    /** An empty batch for the given columns. */
    public static ColumnBatch forColumns(List<Column> columns, int rowCapacity) {
        List<ColumnData> data = new ArrayList<>();
        for (Column column : columns) {
            data.add(
                    column.type().kind() == PhysicalKind.LONG
                            ? new LongColumn(rowCapacity)
                            : new BytesColumn(rowCapacity, 16 * rowCapacity));
        }
        return new ColumnBatch(data);
    }

    public int rowCount() {
        return rowCount;
    }

    public void setRowCount(int rowCount) {
        this.rowCount = rowCount;
    }

    /**
     * Makes room at once for so many rows like those that there are, and a few more, instead of
     * growing with them.
     */
    public void expectRows(long rows) {
        if (rowCount == 0) {
            return;
        }
        int expected = (int) Math.min(rows, MAX_EXPECTED_ROWS);
        for (int i = 0; i < columns.size(); i++) {
            if (!shared[i]) {
                expectRows(columns.get(i), expected);
            }
        }
    }

    private void expectRows(ColumnData column, int rows) {
        if (column.rowCapacity() < rows) {
            column.ensureRows(rows + (rows >> 4));
        }
        if (column instanceof BytesColumn strings) {
            long bytes = (long) strings.offsets()[rowCount] * rows / rowCount;
            if (strings.data().length < bytes) {
                strings.ensureBytes(bytes + (bytes >> 4));
            }
        }
    }

    public int columnCount() {
        return columns.size();
    }

    /** A column with one value a row. */
    public ColumnData column(int index) {
        ColumnData column = columns.get(index);
        if (shared[index]) {
            shared[index] = false;
            spans.expand(column);
        }
        return column;
    }

    public LongColumn longs(int index) {
        return (LongColumn) column(index);
    }

    public BytesColumn bytes(int index) {
        return (BytesColumn) column(index);
    }

    /** Whether a column has one value a span. */
    public boolean isShared(int index) {
        return shared[index];
    }

    /** A column with one value a span if it is shared, else with one a row. */
    public ColumnData held(int index) {
        return columns.get(index);
    }

    /** The spans of the rows; there are some only if columns have been shared. */
    public RowSpans spans() {
        return spans;
    }

    /** Shares these columns, and no others, of this batch, which is empty, until it is cleared. */
    public void share(List<Integer> indexes) {
        if (rowCount > 0) {
            throw new IllegalStateException("a batch with rows cannot share columns");
        }
        Arrays.fill(shared, false);
        for (int index : indexes) {
            shared[index] = true;
        }
    }

    /** The same rows with one column more; all others share this batch's memory. */
    public ColumnBatch plus(ColumnData last) {
        List<ColumnData> all = new ArrayList<>(columns.size() + 1);
        for (int i = 0; i < columns.size(); i++) {
            all.add(column(i));
        }
        all.add(last);
        ColumnBatch wider = new ColumnBatch(all);
        wider.setRowCount(rowCount);
        return wider;
    }

    /** Empties the batch, keeping its memory. */
    public void clear() {
        rowCount = 0;
        spans.clear();
        Arrays.fill(shared, false);
        for (ColumnData column : columns) {
            column.validity().clear();
        }
    }

    public long retainedBytes() {
        long bytes = spans.retainedBytes();
        for (ColumnData column : columns) {
            bytes += column.retainedBytes();
        }
        return bytes;
    }
}
