package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

/**
 * One number per column that depends on the values and how often each occurs, but neither on the
 * order of the rows nor on how they are stored: the sum modulo 2^64 of a 64-bit hash per value, a
 * NULL having its own. Rows that change places between columns are not noticed; that is what the
 * CRC32C of blocks is for. Two different multisets of values agree with probability 2^-64 if the
 * hash is good; it is not made to withstand an adversary.
 *
 * <p>A column with a dictionary costs one hash per entry and a count per row. Owned by one thread.
 */
public final class SegmentChecksum {
    private static final long NULL_HASH = 0x5851F42D4C957F2DL;
    private static final long SEED = 0x2545F4914F6CDD1DL;

    private final long[] sums;
    private final boolean[] isLong;
    private long rowCount;

    public SegmentChecksum(TableSchema schema) {
        sums = new long[schema.columnCount()];
        isLong = new boolean[sums.length];
        for (int i = 0; i < sums.length; i++) {
            isLong[i] = schema.column(i).type().kind() == PhysicalKind.LONG;
        }
    }

    /** Adds all rows of a batch in table order. */
    public void add(ColumnBatch batch) {
        int rows = batch.rowCount();
        rowCount += rows;
        for (int column = 0; column < sums.length; column++) {
            add(column, batch.column(column), rows);
        }
    }

    private void add(int column, ColumnData data, int rows) {
        Validity validity = data.validity();
        boolean nullable = validity.hasNulls();
        long sum = 0;
        switch (data) {
            case LongColumn longs -> {
                long[] values = longs.values();
                for (int row = 0; row < rows; row++) {
                    sum += nullable && !validity.isValid(row) ? NULL_HASH : hash(values[row]);
                }
            }
            case BytesColumn strings -> {
                int[] offsets = strings.offsets();
                for (int row = 0; row < rows; row++) {
                    sum +=
                            nullable && !validity.isValid(row)
                                    ? NULL_HASH
                                    : hash(strings.data(), offsets[row], offsets[row + 1]);
                }
            }
        }
        sums[column] += sum;
    }

    /** Adds all rows of a segment, checking its bytes as {@link SegmentReader} does. */
    public void add(SegmentReader reader) {
        rowCount += reader.rowCount();
        BlockCursor cursor = new BlockCursor();
        for (int column = 0; column < sums.length; column++) {
            Dictionary dictionary = reader.dictionary(column);
            if (dictionary == null) {
                addValues(reader, column, cursor);
            } else {
                addCodes(reader, column, dictionary, cursor);
            }
        }
    }

    private void addValues(SegmentReader reader, int column, BlockCursor cursor) {
        ColumnData data =
                isLong[column]
                        ? new LongColumn(SegmentFormat.BLOCK_ROWS)
                        : new BytesColumn(SegmentFormat.BLOCK_ROWS, 1 << 16);
        for (int block = 0; block < reader.blockCount(); block++) {
            data.validity().clear();
            cursor.open(reader, column, block);
            cursor.append(0, cursor.rows(), data, 0);
            add(column, data, cursor.rows());
        }
    }

    private void addCodes(
            SegmentReader reader, int column, Dictionary dictionary, BlockCursor cursor) {
        long[] counts = new long[Math.max(1, dictionary.size())];
        int[] codes = new int[SegmentFormat.BLOCK_ROWS];
        long nulls = 0;
        for (int block = 0; block < reader.blockCount(); block++) {
            cursor.open(reader, column, block);
            int rows = cursor.rows();
            cursor.codes(0, rows, codes, 0);
            for (int i = 0; i < rows; i++) {
                counts[codes[i]]++;
            }
            if (cursor.nullCount() > 0) {
                nulls += cursor.nullCount();
                long[] words = cursor.validityWords();
                for (int i = 0; i < rows; i++) {
                    counts[codes[i]] -= ~words[i >> 6] >>> i & 1;
                }
            }
        }
        long sum = nulls * NULL_HASH;
        for (int code = 0; code < dictionary.size(); code++) {
            sum += counts[code] * hash(dictionary, code);
        }
        sums[column] += sum;
    }

    private static long hash(Dictionary dictionary, int code) {
        return switch (dictionary) {
            case LongDictionary longs -> hash(longs.value(code));
            case BytesDictionary strings ->
                    hash(strings.data(), strings.offsets()[code], strings.offsets()[code + 1]);
        };
    }

    /** Adds what another checksum of the same table has seen. */
    public void add(SegmentChecksum other) {
        rowCount += other.rowCount;
        for (int column = 0; column < sums.length; column++) {
            sums[column] += other.sums[column];
        }
    }

    public long rowCount() {
        return rowCount;
    }

    /** One sum per column. */
    public long[] columns() {
        return sums.clone();
    }

    /** The finalizer of MurmurHash3: every bit of the value changes every bit of the hash. */
    private static long hash(long value) {
        long bits = value ^ SEED;
        bits = (bits ^ bits >>> 33) * 0xFF51AFD7ED558CCDL;
        bits = (bits ^ bits >>> 33) * 0xC4CEB9FE1A85EC53L;
        return bits ^ bits >>> 33;
    }

    private static long hash(byte[] data, int from, int to) {
        long state = hash(to - from);
        for (int at = from; at < to; at += 8) {
            long word = ByteStrings.head(data, at, to - at);
            state = (Long.rotateLeft(state, 27) ^ word) * 0x9E3779B97F4A7C15L;
            state ^= state >>> 32;
        }
        return hash(state);
    }
}
