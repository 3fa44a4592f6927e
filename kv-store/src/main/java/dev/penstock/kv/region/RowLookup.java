package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentReader;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Finds single rows: the newest layer that knows the key decides. Thread-safe. */
final class RowLookup {
    private final TableSchema schema;
    private final RowCodec codec;
    private final KeyCodec keyCodec;
    private final int[] allColumns;
    private final int[] keyColumns;
    private final int[] otherColumns;

    RowLookup(TableSchema schema, RowCodec codec) {
        this.schema = schema;
        this.codec = codec;
        this.keyCodec = new KeyCodec(schema);
        this.allColumns = IntStream.range(0, schema.columnCount()).toArray();
        this.keyColumns = keyCodec.columns();
        this.otherColumns =
                IntStream.of(allColumns)
                        .filter(column -> IntStream.of(keyColumns).noneMatch(key -> key == column))
                        .toArray();
    }

    /** A batch of one row with all of the table's columns. */
    Optional<ColumnBatch> get(RegionSnapshot snapshot, byte[] key) {
        return look(snapshot, key, this::decode, this::read);
    }

    /** Whether there is a row with that key; its values are not read. */
    boolean has(RegionSnapshot snapshot, byte[] key) {
        return look(snapshot, key, _ -> true, (_, _, _) -> true).isPresent();
    }

    /** Whether a layer in which nothing is deleted has a row with that key. */
    boolean has(Layer layer, byte[] key) {
        return layer.covering(key)
                .filter(segment -> find(segment.reader(), key, emptyRow()) >= 0)
                .isPresent();
    }

    /** What to make of a row of a segment; {@code found} has its key's columns. */
    private interface OfSegment<T> {
        T apply(SegmentReader reader, long row, ColumnBatch found);
    }

    private <T> Optional<T> look(
            RegionSnapshot snapshot,
            byte[] key,
            Function<byte[], T> ofDelta,
            OfSegment<T> ofSegment) {
        for (Delta.Snapshot delta : snapshot.deltas()) {
            Delta.Version version = delta.get(key);
            if (version != null) {
                byte[] row = version.row();
                return row == null ? Optional.empty() : Optional.of(ofDelta.apply(row));
            }
        }
        for (Layer layer : snapshot.layers()) {
            Optional<SegmentFile> segment = layer.covering(key);
            if (segment.isPresent()) {
                SegmentReader reader = segment.get().reader();
                ColumnBatch found = emptyRow();
                long row = find(reader, key, found);
                if (row >= 0) {
                    return layer.descriptor().tombstones() && deleted(reader, row)
                            ? Optional.empty()
                            : Optional.of(ofSegment.apply(reader, row, found));
                }
            }
        }
        return Optional.empty();
    }

    private ColumnBatch emptyRow() {
        return ColumnBatch.forColumns(schema.columns(), 1);
    }

    private ColumnBatch decode(byte[] row) {
        ColumnBatch batch = emptyRow();
        codec.decode(row, allColumns, batch, 0);
        batch.setRowCount(1);
        return batch;
    }

    /**
     * The row with exactly that key, or -1.
     *
     * @param found gets the key's columns of the row, or of another one
     */
    private long find(SegmentReader reader, byte[] key, ColumnBatch found) {
        long row = reader.lowerBound(key);
        if (row >= reader.rowCount()) {
            return -1;
        }
        reader.readRow(keyColumns, row, found, 0);
        ByteBuilder encoded = new ByteBuilder(key.length);
        keyCodec.encode(found, 0, encoded);
        boolean equal = Arrays.equals(encoded.array(), 0, encoded.length(), key, 0, key.length);
        return equal ? row : -1;
    }

    private boolean deleted(SegmentReader reader, long row) {
        ColumnBatch flags =
                ColumnBatch.forColumns(
                        reader.schema().columns().subList(allColumns.length, allColumns.length + 1),
                        1);
        reader.readRow(allColumns.length, row, flags.column(0), 0);
        return flags.longs(0).values()[0] != 0;
    }

    private ColumnBatch read(SegmentReader reader, long row, ColumnBatch found) {
        reader.readRow(otherColumns, row, found, 0);
        found.setRowCount(1);
        return found;
    }
}
