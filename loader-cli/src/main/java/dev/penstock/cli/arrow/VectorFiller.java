package dev.penstock.cli.arrow;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.schema.FloatOrder;

import org.apache.arrow.memory.ArrowBuf;
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

/**
 * Copies a batch's columns into the Arrow vectors that {@link ArrowTypes} chose: values are laid
 * out in an array first and go to Arrow's memory at once, because each access there is checked. The
 * slots of NULLs hold anything. Owned by one thread.
 */
final class VectorFiller {
    private byte[] scratch = new byte[0];

    /** Replaces a vector's values by the first rows of a column. */
    void fill(FieldVector vector, ColumnData column, int rowCount) {
        switch (column) {
            case LongColumn longs -> {
                ((BaseFixedWidthVector) vector).allocateNew(rowCount);
                int length = layOut(vector, longs.values(), rowCount);
                vector.getDataBuffer().setBytes(0, scratch, 0, length);
            }
            case BytesColumn bytes -> fillBytes(vector, bytes, rowCount);
        }
        setValidity(vector.getValidityBuffer(), column.validity(), rowCount);
        vector.setValueCount(rowCount);
    }

    /** Lays values out as a vector has them; returns how many bytes they take. */
    private int layOut(FieldVector vector, long[] values, int count) {
        return switch (vector) {
            case BigIntVector _, TimeMicroVector _, TimeStampMicroVector _ -> longs(values, count);
            case IntVector _, DateDayVector _ -> ints(values, count);
            case SmallIntVector _ -> shorts(values, count);
            case BitVector _ -> bits(values, count);
            case DecimalVector _ -> decimals(values, count);
            case Float8Vector _ -> doubles(values, count);
            case Float4Vector _ -> floats(values, count);
            default -> throw new IllegalStateException("no long goes into " + vector.getField());
        };
    }

    private int longs(long[] values, int count) {
        byte[] out = scratch(8 * count);
        for (int i = 0; i < count; i++) {
            ByteAccess.putLong(out, 8 * i, values[i]);
        }
        return 8 * count;
    }

    private int ints(long[] values, int count) {
        byte[] out = scratch(4 * count);
        for (int i = 0; i < count; i++) {
            ByteAccess.putInt(out, 4 * i, (int) values[i]);
        }
        return 4 * count;
    }

    private int shorts(long[] values, int count) {
        byte[] out = scratch(2 * count);
        for (int i = 0; i < count; i++) {
            ByteAccess.putShort(out, 2 * i, (int) values[i]);
        }
        return 2 * count;
    }

    private int bits(long[] values, int count) {
        int length = (count + 7) >> 3;
        byte[] out = scratch(length);
        Arrays.fill(out, 0, length, (byte) 0);
        for (int i = 0; i < count; i++) {
            out[i >> 3] |= (byte) ((values[i] != 0 ? 1 : 0) << (i & 7));
        }
        return length;
    }

    /** Sixteen bytes each, little-endian. */
    private int decimals(long[] values, int count) {
        byte[] out = scratch(16 * count);
        for (int i = 0; i < count; i++) {
            ByteAccess.putLong(out, 16 * i, values[i]);
            ByteAccess.putLong(out, 16 * i + 8, values[i] >> 63);
        }
        return 16 * count;
    }

    private int doubles(long[] values, int count) {
        byte[] out = scratch(8 * count);
        for (int i = 0; i < count; i++) {
            double value = FloatOrder.fromOrdered(values[i]);
            ByteAccess.putLong(out, 8 * i, Double.doubleToRawLongBits(value));
        }
        return 8 * count;
    }

    private int floats(long[] values, int count) {
        byte[] out = scratch(4 * count);
        for (int i = 0; i < count; i++) {
            float value = (float) FloatOrder.fromOrdered(values[i]);
            ByteAccess.putInt(out, 4 * i, Float.floatToRawIntBits(value));
        }
        return 4 * count;
    }

    private byte[] scratch(int length) {
        if (scratch.length < length) {
            scratch = new byte[length];
        }
        return scratch;
    }

    private void fillBytes(FieldVector vector, BytesColumn column, int rowCount) {
        switch (vector) {
            case BaseVariableWidthVector strings -> fillStrings(strings, column, rowCount);
            case FixedSizeBinaryVector fixed -> fillFixed(fixed, column, rowCount);
            case DecimalVector decimals -> fillWide(decimals, column, rowCount);
            default -> throw new IllegalStateException("no bytes go into " + vector.getField());
        }
    }

    private void fillStrings(BaseVariableWidthVector vector, BytesColumn column, int rowCount) {
        int[] offsets = column.offsets();
        int from = offsets[0];
        int length = offsets[rowCount] - from;
        vector.allocateNew(length, rowCount);
        byte[] out = scratch(4 * (rowCount + 1));
        for (int i = 0; i <= rowCount; i++) {
            ByteAccess.putInt(out, 4 * i, offsets[i] - from);
        }
        vector.getOffsetBuffer().setBytes(0, out, 0, 4L * (rowCount + 1));
        vector.getDataBuffer().setBytes(0, column.data(), from, length);
        // Else the vector would take rows for missing, and set their offsets.
        vector.setLastSet(rowCount - 1);
    }

    /** NULLs have no bytes in the column, but a slot here. */
    private void fillFixed(FixedSizeBinaryVector vector, BytesColumn column, int rowCount) {
        int width = vector.getByteWidth();
        vector.allocateNew(rowCount);
        byte[] out = scratch(width * rowCount);
        for (int row = 0; row < rowCount; row++) {
            if (column.validity().isValid(row)) {
                System.arraycopy(column.data(), column.offsets()[row], out, width * row, width);
            }
        }
        vector.getDataBuffer().setBytes(0, out, 0, (long) width * rowCount);
    }

    private static void fillWide(DecimalVector vector, BytesColumn column, int rowCount) {
        vector.allocateNew(rowCount);
        for (int row = 0; row < rowCount; row++) {
            if (column.validity().isValid(row)) {
                byte[] twosComplement =
                        Arrays.copyOfRange(
                                column.data(), column.offsets()[row], column.offsets()[row + 1]);
                twosComplement[0] ^= (byte) 0x80;
                vector.setBigEndian(row, twosComplement);
            }
        }
    }

    private void setValidity(ArrowBuf bits, Validity validity, int rowCount) {
        int length = (rowCount + 7) >> 3;
        byte[] out = scratch(length + 8);
        if (validity.hasNulls()) {
            for (int i = 0; i << 3 < length; i++) {
                ByteAccess.putLong(out, 8 * i, validity.words()[i]);
            }
        } else {
            Arrays.fill(out, 0, length, (byte) -1);
        }
        if ((rowCount & 7) != 0) {
            out[length - 1] &= (byte) ((1 << (rowCount & 7)) - 1);
        }
        bits.setBytes(0, out, 0, length);
    }
}
