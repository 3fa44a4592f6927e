package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.SegmentOutput;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.step.Encode;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;
import dev.penstock.target.DuplicatePolicy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes frozen rows as segments: batches of them, in key order, become images in memory, and one
 * merge makes files of these, as it does for a load. Deleted keys are written too, with a mark.
 */
final class DeltaFlush {
    private static final int IMAGE_ROWS = 16 * SegmentFormat.BLOCK_ROWS;

    /** An image of wide rows ends here: it is made of a copy of them that has to fit. */
    private static final int IMAGE_BYTES = 64 << 20;

    private final TableSchema schema;
    private final TableSchema flushSchema;
    private final RowCodec codec;
    private final KeyCodec keyCodec;
    private final int[] allColumns;
    private final long imageBytes;

    DeltaFlush(TableSchema schema, TableSchema flushSchema, RowCodec codec) {
        this(schema, flushSchema, codec, IMAGE_BYTES);
    }

    DeltaFlush(TableSchema schema, TableSchema flushSchema, RowCodec codec, long imageBytes) {
        this.imageBytes = imageBytes;
        this.schema = schema;
        this.flushSchema = flushSchema;
        this.codec = codec;
        this.keyCodec = new KeyCodec(schema);
        this.allColumns = new int[schema.columnCount()];
        Arrays.setAll(allColumns, i -> i);
    }

    /**
     * What was written.
     *
     * @param tombstones whether the segments have the column that marks deleted keys
     */
    record Result(List<SegmentDescriptor> segments, boolean tombstones) {}

    /**
     * Writes all rows; the files and their names are durable on return.
     *
     * @param bottom whether nothing older is below, so that deleted keys need not be remembered
     */
    Result write(
            Delta.Snapshot rows, SegmentOutput output, SegmentIdentity identity, boolean bottom) {
        boolean anyDeleted =
                rows.range(KeyRange.ALL).values().stream()
                        .map(rows::at)
                        .anyMatch(version -> version != null && version.row() == null);
        boolean tombstones = anyDeleted && !bottom;
        MergeLimits limits =
                anyDeleted && bottom
                        ? MergeLimits.DEFAULT.withDropDeletedColumn(allColumns.length)
                        : MergeLimits.DEFAULT;
        try {
            new Merge(tombstones ? flushSchema : schema, limits)
                    .run(images(rows, identity), DuplicatePolicy.KEEP_LAST, identity, output);
            return new Result(output.finish(), tombstones);
        } catch (RuntimeException | Error e) {
            output.discard();
            throw e;
        }
    }

    List<Merge.Run> images(Delta.Snapshot rows, SegmentIdentity identity) {
        List<Merge.Run> runs = new ArrayList<>();
        ColumnBatch batch = ColumnBatch.forColumns(flushSchema.columns(), 1024);
        Encode encode = new Encode(flushSchema);
        long bytes = 0;
        for (Map.Entry<byte[], Delta.Version> entry : rows.range(KeyRange.ALL).entrySet()) {
            Delta.Version version = rows.at(entry.getValue());
            if (version != null) {
                append(entry.getKey(), version, batch);
                bytes += bytes(entry.getKey(), version);
            }
            if (batch.rowCount() == IMAGE_ROWS || bytes >= imageBytes) {
                runs.add(image(batch, encode, identity, runs.size()));
                batch.clear();
                bytes = 0;
            }
        }
        if (batch.rowCount() > 0) {
            runs.add(image(batch, encode, identity, runs.size()));
        }
        return runs;
    }

    private static int bytes(byte[] key, Delta.Version version) {
        byte[] row = version.row();
        return row == null ? key.length : row.length;
    }

    private void append(byte[] key, Delta.Version version, ColumnBatch batch) {
        int row = batch.rowCount();
        byte[] stored = version.row();
        if (stored == null) {
            appendDeleted(key, batch, row);
        } else {
            codec.decode(stored, allColumns, batch, row);
        }
        batch.longs(allColumns.length).ensureRows(row + 1);
        batch.longs(allColumns.length).values()[row] = stored == null ? 1 : 0;
        batch.setRowCount(row + 1);
    }

    private void appendDeleted(byte[] key, ColumnBatch batch, int row) {
        EmptyRow.append(batch, allColumns.length, row);
        keyCodec.decode(key, 0, key.length, batch, row);
        for (int column : allColumns) {
            if (schema.column(column).nullable()) {
                batch.column(column).validity().setNull(row, row + 1);
            }
        }
    }

    private Merge.Run image(
            ColumnBatch batch, Encode encode, SegmentIdentity identity, int number) {
        Encode.Choice[] choices = new Encode.Choice[flushSchema.columnCount()];
        Arrays.fill(choices, Encode.Choice.DICTIONARY);
        ByteBuilder out = new ByteBuilder(1 << 20);
        encode.run(batch, 0, batch.rowCount(), choices, true, identity.withOrdinal(number), out);
        MemorySegment bytes = MemorySegment.ofArray(out.toByteArray());
        return new Merge.Run(
                SegmentReader.open(flushSchema, bytes, "rows in memory, part " + number), number);
    }
}
