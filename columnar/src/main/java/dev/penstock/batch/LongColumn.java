package dev.penstock.batch;

import java.util.Arrays;

/** A column of {@link dev.penstock.schema.PhysicalKind#LONG} values. */
public final class LongColumn implements ColumnData {
    private final Validity validity = new Validity();
    private long[] values;

    public LongColumn(int rowCapacity) {
        this.values = new long[rowCapacity];
    }

    @Override
    public Validity validity() {
        return validity;
    }

    /** One value a row; valid until the next {@link #ensureRows}. */
    public long[] values() {
        return values;
    }

    @Override
    public int rowCapacity() {
        return values.length;
    }

    @Override
    public void ensureRows(int rowCount) {
        if (values.length < rowCount) {
            values =
                    Arrays.copyOf(values, Math.max(rowCount, values.length + (values.length >> 1)));
        }
        if (validity.hasNulls()) {
            validity.ensureBits(rowCount);
        }
    }

    @Override
    public void setAllNull(int row, int count) {
        validity.setAllNull(row, count);
        Arrays.fill(values, row, row + count, 0);
    }

    /** Exchanges all rows, and the memory that they lie in, with another column. */
    public void swap(LongColumn other) {
        long[] mine = values;
        values = other.values;
        other.values = mine;
        validity.swap(other.validity);
    }

    @Override
    public long retainedBytes() {
        return 8L * values.length + 8L * validity.words().length;
    }
}
