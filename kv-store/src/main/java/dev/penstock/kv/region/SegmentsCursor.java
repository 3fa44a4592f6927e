package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.AscendingKeys;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentScanner;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Rows of segments of one layer, one segment after the other. */
final class SegmentsCursor implements KeyedCursor {
    private final Iterator<SegmentFile> segments;
    private final KeyRange range;
    private final int[] projection;
    private final int deletedColumn;
    private final ColumnBatch batch;
    private @Nullable SegmentScanner scanner;
    private final AscendingKeys keys = new AscendingKeys();

    /**
     * @param schema of the segments, with the hidden column if {@code tombstones}
     */
    SegmentsCursor(
            List<SegmentFile> segments,
            KeyRange range,
            TableSchema schema,
            boolean tombstones,
            int[] projection) {
        this.segments = segments.iterator();
        this.range = range;
        this.deletedColumn = tombstones ? projection.length : -1;
        this.projection =
                tombstones ? Arrays.copyOf(projection, projection.length + 1) : projection;
        if (tombstones) {
            this.projection[projection.length] = schema.columnCount() - 1;
        }
        List<Column> columns = new ArrayList<>();
        for (int column : this.projection) {
            columns.add(schema.column(column));
        }
        this.batch = ColumnBatch.forColumns(columns, SegmentFormat.BLOCK_ROWS);
    }

    @Override
    public boolean next() {
        while (true) {
            SegmentScanner current = scanner;
            if (current != null && current.next(batch)) {
                keys.set(current.keys(), batch.rowCount());
                return true;
            }
            if (!segments.hasNext()) {
                return false;
            }
            scanner =
                    new SegmentScanner(
                            segments.next().reader(), range, projection, Predicate.ALWAYS, true);
        }
    }

    @Override
    public ColumnBatch batch() {
        return batch;
    }

    @Override
    public AscendingKeys keys() {
        return keys;
    }

    @Override
    public boolean mayHaveDeleted() {
        return deletedColumn >= 0;
    }

    @Override
    public boolean deleted(int row) {
        return deletedColumn >= 0 && batch.longs(deletedColumn).values()[row] != 0;
    }
}
