package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.AscendingKeys;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.LeftOutRows;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentScanner;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** Rows of segments of one layer, one segment after the other. */
final class SegmentsCursor implements KeyedCursor {
    private final Iterator<SegmentFile> segments;
    private final KeyRange range;
    private final int[] projection;
    private final int deletedColumn;
    private final Predicate predicate;

    /** Null if all rows are wanted. */
    private final @Nullable Function<SegmentFile, LeftOutRows> leftOut;

    private final ColumnBatch batch;
    private @Nullable SegmentScanner scanner;
    private final AscendingKeys keys = new AscendingKeys();

    /**
     * All rows, deleted ones too.
     *
     * @param schema of the segments, with the hidden column if {@code tombstones}
     */
    SegmentsCursor(
            List<SegmentFile> segments,
            KeyRange range,
            TableSchema schema,
            boolean tombstones,
            int[] projection) {
        this(
                segments,
                range,
                schema,
                tombstones ? with(projection, schema.columnCount() - 1) : projection,
                tombstones ? projection.length : -1,
                Predicate.ALWAYS,
                null);
    }

    private SegmentsCursor(
            List<SegmentFile> segments,
            KeyRange range,
            TableSchema schema,
            int[] projection,
            int deletedColumn,
            Predicate predicate,
            @Nullable Function<SegmentFile, LeftOutRows> leftOut) {
        this.segments = segments.iterator();
        this.range = range;
        this.projection = projection;
        this.deletedColumn = deletedColumn;
        this.predicate = predicate;
        this.leftOut = leftOut;
        List<Column> columns = new ArrayList<>();
        for (int column : projection) {
            columns.add(schema.column(column));
        }
        this.batch = ColumnBatch.forColumns(columns, SegmentFormat.BLOCK_ROWS);
    }

    /**
     * The rows that match a predicate, which deleted ones do not, but for those that newer layers
     * decide about.
     *
     * @param schema of the segments
     */
    static SegmentsCursor decided(
            List<SegmentFile> segments,
            KeyRange range,
            TableSchema schema,
            int[] projection,
            Predicate predicate,
            Function<SegmentFile, LeftOutRows> leftOut) {
        return new SegmentsCursor(segments, range, schema, projection, -1, predicate, leftOut);
    }

    private static int[] with(int[] columns, int another) {
        int[] all = Arrays.copyOf(columns, columns.length + 1);
        all[columns.length] = another;
        return all;
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
            scanner = scanner(segments.next());
        }
    }

    private SegmentScanner scanner(SegmentFile segment) {
        SegmentScanner next =
                new SegmentScanner(segment.reader(), range, projection, predicate, true);
        Function<SegmentFile, LeftOutRows> leaving = leftOut;
        if (leaving != null) {
            next.leaveOut(leaving.apply(segment));
        }
        return next;
    }

    @Override
    public boolean isDecided() {
        return leftOut != null;
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
