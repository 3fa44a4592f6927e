package dev.penstock.convert;

import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;

/**
 * A column of two kernels: a vector one for the usual form of the values, and one that takes more
 * forms. A column that the first refuses goes to the second for some windows before the first gets
 * another chance, so that a column of unusual values is not read twice. Owned by one thread.
 */
final class FastThenGeneral implements ColumnConverter {
    /** Windows that go to the general kernel after a refusal. */
    private static final int PAUSE = 15;

    /** A kernel that needs room for the rows of a window. */
    interface FastKernel {
        /** Answers false if a value is unusual. */
        boolean convert(FieldBounds fields, long[] out, int at, Scratch scratch);
    }

    private final FastKernel fast;
    private final LongKernel general;
    private final Scratch scratch = new Scratch();
    private int pause;

    FastThenGeneral(FastKernel fast, LongKernel general) {
        this.fast = fast;
        this.general = general;
    }

    @Override
    public boolean convert(FieldBounds fields, ColumnData out, int row) {
        long[] values = values(fields, out);
        if (pause > 0) {
            pause--;
        } else if (fast.convert(fields, values, row, scratch)) {
            return true;
        } else {
            pause = PAUSE;
        }
        return general.convert(fields, values, row);
    }

    private long[] values(FieldBounds fields, ColumnData out) {
        scratch.ensure(fields.count());
        return ((LongColumn) out).values();
    }
}
