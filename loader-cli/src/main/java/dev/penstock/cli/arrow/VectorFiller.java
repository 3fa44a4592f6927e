package dev.penstock.cli.arrow;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.schema.FloatOrder;

import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampMicroVector;

import java.util.Arrays;

/** Copies the values of a batch's column into an Arrow vector that {@link ArrowTypes} chose. */
final class VectorFiller {
    private VectorFiller() {}

    static void fill(FieldVector vector, ColumnData column, int rowCount) {
        Validity validity = column.validity();
        switch (column) {
            case LongColumn longs -> {
                ((BaseFixedWidthVector) vector).allocateNew(rowCount);
                for (int row = 0; row < rowCount; row++) {
                    if (validity.isValid(row)) {
                        put(vector, row, longs.values()[row]);
                    }
                }
            }
            case BytesColumn bytes -> {
                allocate(vector, bytes, rowCount);
                for (int row = 0; row < rowCount; row++) {
                    if (validity.isValid(row)) {
                        put(vector, row, bytes, row);
                    }
                }
            }
        }
        vector.setValueCount(rowCount);
    }

    private static void allocate(FieldVector vector, BytesColumn bytes, int rowCount) {
        if (vector instanceof BaseVariableWidthVector varying) {
            varying.allocateNew(bytes.offsets()[rowCount], rowCount);
        } else {
            ((BaseFixedWidthVector) vector).allocateNew(rowCount);
        }
    }

    private static void put(FieldVector vector, int row, long value) {
        switch (vector) {
            case BigIntVector target -> target.set(row, value);
            case IntVector target -> target.set(row, (int) value);
            case SmallIntVector target -> target.set(row, (short) value);
            case BitVector target -> target.set(row, (int) value);
            case DecimalVector target -> target.set(row, value);
            case DateDayVector target -> target.set(row, (int) value);
            case TimeMicroVector target -> target.set(row, value);
            case TimeStampMicroVector target -> target.set(row, value);
            case Float8Vector target -> target.set(row, FloatOrder.fromOrdered(value));
            case Float4Vector target -> target.set(row, (float) FloatOrder.fromOrdered(value));
            default -> throw new IllegalStateException("no long goes into " + vector.getField());
        }
    }

    private static void put(FieldVector vector, int row, BytesColumn bytes, int from) {
        byte[] data = bytes.data();
        int start = bytes.offsets()[from];
        int end = bytes.offsets()[from + 1];
        switch (vector) {
            case BaseVariableWidthVector target -> target.set(row, data, start, end - start);
            case FixedSizeBinaryVector target ->
                    target.set(row, Arrays.copyOfRange(data, start, end));
            case DecimalVector target -> {
                byte[] twosComplement = Arrays.copyOfRange(data, start, end);
                twosComplement[0] ^= (byte) 0x80;
                target.setBigEndian(row, twosComplement);
            }
            default -> throw new IllegalStateException("no bytes go into " + vector.getField());
        }
    }
}
