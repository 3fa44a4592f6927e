package dev.penstock.sampler;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.dict.TokenTrainer;
import dev.penstock.sampler.sketch.DistinctEstimator;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values of byte string columns, kept to find the words that are frequent in them. A batch is
 * {@link #count counted} first, and then rows of it are {@link #add added}. Columns of the key are
 * left out: they are compared more often than they are moved. Owned by one thread.
 */
final class TextSample {
    /** Values of a column that are kept. */
    private static final int MAX_ROWS = 16_384;

    /** Bytes of a column that are kept, about. */
    private static final int MAX_BYTES = 512 << 10;

    /** A column with fewer different values is better off with a dictionary. */
    private static final int MIN_DISTINCT = 1024;

    /** Or with fewer in a hundred values, if the sample has not many. */
    private static final int MIN_DISTINCT_PERCENT = 70;

    private static final int MIN_ROWS = 256;

    /** Of a column with fewer different values so far none are kept, but for the first. */
    private static final int FEW_DISTINCT = 64;

    private final List<Integer> columns = new ArrayList<>();
    private final List<BytesColumn> values = new ArrayList<>();
    private final List<DistinctEstimator> distinct = new ArrayList<>();

    /** By column: values that are kept. */
    private final int[] counts;

    /** By column: values that there were. */
    private final long[] valueCounts;

    private int rowsPerBlock = 1;

    TextSample(TableSchema schema) {
        for (int i = 0; i < schema.columnCount(); i++) {
            int column = i;
            if (schema.column(i).type().kind() == PhysicalKind.BYTES
                    && schema.key().stream().noneMatch(part -> part.columnIndex() == column)) {
                columns.add(i);
                values.add(new BytesColumn(0, 0));
                distinct.add(new DistinctEstimator());
            }
        }
        counts = new int[columns.size()];
        valueCounts = new long[columns.size()];
    }

    /** Says over how many batches the rows are spread. */
    void begin(int batches) {
        rowsPerBlock = Math.max(1, MAX_ROWS / Math.max(1, batches));
    }

    /** Counts the different values of a batch of which rows will be added. */
    void count(ColumnBatch batch) {
        int rows = batch.rowCount();
        for (int i = 0; i < counts.length; i++) {
            BytesColumn column = batch.bytes(columns.get(i));
            distinct.get(i).addAll(column, 0, rows, 1);
            valueCounts[i] += rows - column.validity().nullCount(rows);
        }
    }

    /** Adds some of the rows [from, to) of a batch. */
    void add(ColumnBatch batch, int from, int to) {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] >= MIN_ROWS && distinct.get(i).estimate() < FEW_DISTINCT) {
                continue;
            }
            BytesColumn source = batch.bytes(columns.get(i));
            BytesColumn kept = values.get(i);
            int[] offsets = source.offsets();
            boolean nullable = source.validity().hasNulls();
            int end = Math.min(to, from + rowsPerBlock);
            int count = counts[i];
            for (int row = from; row < end && count < MAX_ROWS; row++) {
                int length = offsets[row + 1] - offsets[row];
                if (length > 0
                        && length <= MAX_BYTES - kept.offsets()[count]
                        && !(nullable && !source.validity().isValid(row))) {
                    kept.append(count, source.data(), offsets[row], length);
                    count++;
                }
            }
            counts[i] = count;
        }
    }

    private int byteCount(int index) {
        return values.get(index).offsets()[counts[index]];
    }

    /** The tables of columns that are worth it; of too many those that save the most. */
    TokenTables train() {
        TokenTrainer trainer = new TokenTrainer();
        Map<Integer, TokenTable> tables = new TreeMap<>();
        List<Integer> byBytes = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (isDistinct(i)) {
                byBytes.add(i);
            }
        }
        byBytes.sort((a, b) -> Integer.compare(byteCount(b), byteCount(a)));
        for (int i : byBytes) {
            if (tables.size() < TokenTables.MAX_COLUMNS) {
                trainer.run(values.get(i), counts[i])
                        .ifPresent(table -> tables.put(columns.get(i), table));
            }
        }
        return tables.isEmpty() ? TokenTables.NONE : new TokenTables(tables);
    }

    private boolean isDistinct(int index) {
        long estimate = distinct.get(index).estimate();
        double percent = 100.0 * estimate / Math.max(1, valueCounts[index]);
        return estimate >= MIN_DISTINCT
                || valueCounts[index] >= MIN_ROWS && percent >= MIN_DISTINCT_PERCENT;
    }
}
