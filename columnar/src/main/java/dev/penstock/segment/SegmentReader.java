package dev.penstock.segment;

import dev.penstock.batch.ColumnData;
import dev.penstock.schema.TableSchema;
import java.lang.foreign.MemorySegment;

/** Signatures; the body follows. */
public final class SegmentReader {
    private SegmentReader() {}

    public static SegmentReader open(TableSchema schema, MemorySegment bytes, String name) {
        throw new UnsupportedOperationException();
    }

    public TableSchema schema() {
        throw new UnsupportedOperationException();
    }

    public String name() {
        throw new UnsupportedOperationException();
    }

    public SegmentIdentity identity() {
        throw new UnsupportedOperationException();
    }

    public long byteSize() {
        throw new UnsupportedOperationException();
    }

    public long rowCount() {
        throw new UnsupportedOperationException();
    }

    public boolean sorted() {
        throw new UnsupportedOperationException();
    }

    /** Encoded key of the first row; empty if not sorted or without rows. */
    public byte[] firstKey() {
        throw new UnsupportedOperationException();
    }

    public byte[] lastKey() {
        throw new UnsupportedOperationException();
    }

    public ColumnStatistics statistics(int column) {
        throw new UnsupportedOperationException();
    }

    public int blockCount() {
        throw new UnsupportedOperationException();
    }

    public int blockRows(int block) {
        throw new UnsupportedOperationException();
    }

    public long blockStartRow(int block) {
        throw new UnsupportedOperationException();
    }

    /** The block that holds a row. */
    public int blockOf(long row) {
        throw new UnsupportedOperationException();
    }

    /** Decodes one block, appending at outRow. */
    public void read(int column, int block, ColumnData out, int outRow) {
        throw new UnsupportedOperationException();
    }

    /** Decodes one value; cheap but for compressed blocks. */
    public void readRow(int column, long row, ColumnData out, int outRow) {
        throw new UnsupportedOperationException();
    }

    /** First row with key >= encodedKey (rowCount if none). */
    public long lowerBound(byte[] encodedKey) {
        throw new UnsupportedOperationException();
    }

    /** Checks every checksum of the segment. */
    public void verify() {
        throw new UnsupportedOperationException();
    }
}
