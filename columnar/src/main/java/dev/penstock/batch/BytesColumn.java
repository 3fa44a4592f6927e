package dev.penstock.batch;

import java.util.Arrays;

/**
 * A column of {@link dev.penstock.schema.PhysicalKind#BYTES} values: the value of row r is {@code
 * data[offsets[r] .. offsets[r + 1])}.
 */
public final class BytesColumn implements ColumnData {
    private final Validity validity = new Validity();
    private int[] offsets;
    private byte[] data;

    public BytesColumn(int rowCapacity, int byteCapacity) {
        this.offsets = new int[rowCapacity + 1];
        this.data = new byte[byteCapacity];
    }

    @Override
    public Validity validity() {
        return validity;
    }

    /** Row starts and the last row's end; {@code offsets()[0]} is 0. */
    public int[] offsets() {
        return offsets;
    }

    public byte[] data() {
        return data;
    }

    @Override
    public int rowCapacity() {
        return offsets.length - 1;
    }

    @Override
    public void ensureRows(int rowCount) {
        if (offsets.length < rowCount + 1) {
            offsets =
                    Arrays.copyOf(
                            offsets,
                            Math.max(rowCount + 1, offsets.length + (offsets.length >> 1)));
        }
        if (validity.hasNulls()) {
            validity.ensureBits(rowCount);
        }
    }

    /** The rows follow the last one that was set. */
    @Override
    public void setAllNull(int row, int count) {
        validity.setAllNull(row, count);
        Arrays.fill(offsets, row + 1, row + count + 1, offsets[row]);
    }

    /** Makes room for {@code byteCount} bytes of data in all, keeping what is there. */
    public void ensureBytes(long byteCount) {
        if (byteCount > Integer.MAX_VALUE - 64) {
            throw new IllegalStateException("a batch column would need " + byteCount + " bytes");
        }
        if (data.length < byteCount) {
            long grown = Math.max(byteCount, (long) data.length + (data.length >> 1));
            data = Arrays.copyOf(data, (int) Math.min(grown, Integer.MAX_VALUE - 64));
        }
    }

    /** Sets {@code row}, the next one, to a copy of the given bytes; rows are set in order. */
    public void append(int row, byte[] source, int from, int length) {
        ensureRows(row + 1);
        int start = offsets[row];
        ensureBytes((long) start + length);
        System.arraycopy(source, from, data, start, length);
        offsets[row + 1] = start + length;
    }

    /** A copy of the value of {@code row}. */
    public byte[] get(int row) {
        return Arrays.copyOfRange(data, offsets[row], offsets[row + 1]);
    }

    /** Exchanges all rows, and the memory that they lie in, with another column. */
    public void swap(BytesColumn other) {
        int[] myOffsets = offsets;
        offsets = other.offsets;
        other.offsets = myOffsets;
        byte[] mine = data;
        data = other.data;
        other.data = mine;
        validity.swap(other.validity);
    }

    @Override
    public long retainedBytes() {
        return data.length + 4L * offsets.length + 8L * validity.words().length;
    }
}
