package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.ColumnHashes;
import dev.penstock.batch.ColumnSums;
import dev.penstock.batch.LongColumn;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.kernel.ValueSums;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

/**
 * One number per column that depends on the values and how often each occurs, but neither on the
 * order of the rows nor on how they are stored: {@link ColumnSums}, recomputed from what is stored.
 *
 * <p>A column with a dictionary costs one hash per entry and a count per row. Owned by one thread.
 */
public final class SegmentChecksum {
    private final ColumnSums sums;
    private final ColumnHashes hashes = new ColumnHashes();
    private final boolean[] isLong;

    public SegmentChecksum(TableSchema schema) {
        sums = new ColumnSums(schema.columnCount());
        isLong = new boolean[schema.columnCount()];
        for (int i = 0; i < isLong.length; i++) {
            isLong[i] = schema.column(i).type().kind() == PhysicalKind.LONG;
        }
    }

    /** Adds all rows of a batch in table order. */
    public void add(ColumnBatch batch) {
        sums.add(batch, hashes);
    }

    /** Adds all rows of a segment, checking its bytes as {@link SegmentReader} does. */
    public void add(SegmentReader reader) {
        sums.addRows(reader.rowCount());
        BlockCursor cursor = new BlockCursor();
        for (int column = 0; column < isLong.length; column++) {
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
            sums.addToColumn(column, hashes.sum(data, 0, cursor.rows()));
        }
    }

    private void addCodes(
            SegmentReader reader, int column, Dictionary dictionary, BlockCursor cursor) {
        long[] counts = new long[Math.max(1, dictionary.size())];
        int[] codes = new int[SegmentFormat.BLOCK_ROWS];
        long nulls = 0;
        for (int block = 0; block < reader.blockCount(); block++) {
            cursor.open(reader, column, block);
            int values = cursor.rows() - cursor.nullCount();
            cursor.codesOfValues(0, values, codes, 0);
            for (int i = 0; i < values; i++) {
                counts[codes[i]]++;
            }
            nulls += cursor.nullCount();
        }
        long sum = nulls * ValueSums.NULL_HASH;
        for (int code = 0; code < dictionary.size(); code++) {
            sum += counts[code] * hash(dictionary, code);
        }
        sums.addToColumn(column, sum);
    }

    static long hash(Dictionary dictionary, int code) {
        return switch (dictionary) {
            case LongDictionary longs -> ValueSums.hash(longs.value(code));
            case BytesDictionary strings ->
                    ValueSums.hash(
                            strings.data(), strings.offsets()[code], strings.offsets()[code + 1]);
        };
    }

    /** Adds what another checksum of the same table has seen. */
    public void add(SegmentChecksum other) {
        sums.add(other.sums);
    }

    public long rowCount() {
        return sums.rowCount();
    }

    /** One sum per column. */
    public long[] columns() {
        return sums.columns();
    }

    /** What has been added so far. */
    public ColumnSums sums() {
        return sums.copy();
    }
}
