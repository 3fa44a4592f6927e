package dev.penstock.sampler.profile;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.sampler.sketch.DistinctEstimator;
import dev.penstock.schema.Column;

import java.util.ArrayList;
import java.util.List;

/** Adds up {@link ColumnProfile}s over the batches of a sample. Owned by one thread. */
public final class ColumnProfiler {
    private final List<Column> columns;
    private final List<DistinctEstimator> distinct = new ArrayList<>();
    private final long[] nulls;
    private final long[] bytes;
    private long rows;

    /**
     * @param columns all of a table, or none to add up nothing
     */
    public ColumnProfiler(List<Column> columns) {
        this.columns = columns;
        nulls = new long[columns.size()];
        bytes = new long[columns.size()];
        for (int i = 0; i < columns.size(); i++) {
            distinct.add(new DistinctEstimator());
        }
    }

    /** Adds all rows of a batch in table order. */
    public void add(ColumnBatch batch) {
        int rowCount = batch.rowCount();
        for (int i = 0; i < columns.size(); i++) {
            int nullCount = batch.column(i).validity().nullCount(rowCount);
            nulls[i] += nullCount;
            switch (batch.column(i)) {
                case LongColumn longs -> {
                    distinct.get(i).addAll(longs, 0, rowCount, 1);
                    bytes[i] += (long) columns.get(i).type().plainBytes() * (rowCount - nullCount);
                }
                case BytesColumn values -> {
                    distinct.get(i).addAll(values, 0, rowCount, 1);
                    bytes[i] += rowCount == 0 ? 0 : values.offsets()[rowCount];
                }
            }
        }
        rows += rowCount;
    }

    public List<ColumnProfile> profiles() {
        List<ColumnProfile> profiles = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            long values = rows - nulls[i];
            profiles.add(
                    new ColumnProfile(
                            rows,
                            rows == 0 ? 0 : (double) nulls[i] / rows,
                            values == 0 ? 0 : (double) bytes[i] / values,
                            distinct.get(i).estimate()));
        }
        return profiles;
    }
}
