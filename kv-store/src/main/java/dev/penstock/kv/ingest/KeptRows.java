package dev.penstock.kv.ingest;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.ColumnSums;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentScanner;
import dev.penstock.step.Encode;

import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.util.Arrays;
import java.util.List;

/** Copies segments without some of their rows to a staging file, to be merged again. */
final class KeptRows {
    private final int columnCount;
    private final SegmentIdentity identity;
    private final ColumnBatch source;
    private final ColumnBatch kept;
    private final Encode encode;
    private final Encode.Choice[] choices;
    private final int[] allColumns;
    private final ByteBuilder image = new ByteBuilder(1 << 16);
    private int imageCount;
    private int[] dropped = new int[0];

    KeptRows(TableSchema schema, SegmentIdentity identity) {
        this.columnCount = schema.columnCount();
        this.identity = identity;
        this.source = ColumnBatch.forColumns(schema.columns(), SegmentFormat.BLOCK_ROWS);
        this.kept = ColumnBatch.forColumns(schema.columns(), SegmentFormat.BLOCK_ROWS);
        this.encode = new Encode(schema);
        this.choices = new Encode.Choice[columnCount];
        Arrays.fill(choices, Encode.Choice.DICTIONARY);
        this.allColumns = new int[columnCount];
        Arrays.setAll(allColumns, i -> i);
    }

    /**
     * Returns the number of rows left out.
     *
     * @param proof is told of them
     */
    long copy(
            List<SegmentFile> segments,
            List<Roaring64Bitmap> leftOut,
            Staging target,
            ArrivalProof proof) {
        long dropped = 0;
        for (int i = 0; i < segments.size(); i++) {
            Roaring64Bitmap rows = leftOut.get(i);
            dropped += rows.getLongCardinality();
            SegmentScanner scanner =
                    new SegmentScanner(
                            segments.get(i).reader(),
                            KeyRange.ALL,
                            allColumns,
                            Predicate.ALWAYS,
                            false);
            long start = 0;
            while (scanner.next(source)) {
                keep(rows, start, proof);
                start += source.rowCount();
                stage(target);
            }
        }
        return dropped;
    }

    private void keep(Roaring64Bitmap leftOut, long start, ArrivalProof proof) {
        kept.clear();
        int out = 0;
        int droppedCount = 0;
        if (dropped.length < source.rowCount()) {
            dropped = new int[source.rowCount()];
        }
        for (int row = 0; row < source.rowCount(); row++) {
            if (!leftOut.contains(start + row)) {
                for (int column = 0; column < columnCount; column++) {
                    copy(source.column(column), row, kept.column(column), out);
                }
                out++;
            } else {
                dropped[droppedCount++] = row;
            }
        }
        kept.setRowCount(out);
        ColumnSums sums = new ColumnSums(columnCount);
        sums.add(source, dropped, 0, droppedCount);
        proof.drop(droppedCount, sums);
    }

    private static void copy(ColumnData from, int row, ColumnData to, int out) {
        to.ensureRows(out + 1);
        switch (to) {
            case LongColumn longs -> longs.values()[out] = ((LongColumn) from).values()[row];
            case BytesColumn bytes -> {
                BytesColumn text = (BytesColumn) from;
                int start = text.offsets()[row];
                bytes.append(out, text.data(), start, text.offsets()[row + 1] - start);
            }
        }
        if (!from.validity().isValid(row)) {
            to.validity().setNull(out, out + 1);
        }
    }

    private void stage(Staging target) {
        if (kept.rowCount() > 0) {
            image.clear();
            encode.run(
                    kept,
                    0,
                    kept.rowCount(),
                    choices,
                    true,
                    identity.withOrdinal(imageCount),
                    image);
            target.append(imageCount, image.array(), image.length());
            imageCount++;
        }
    }
}
