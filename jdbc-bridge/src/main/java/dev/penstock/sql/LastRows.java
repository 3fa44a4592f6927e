package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;
import dev.penstock.target.RegionInfo;

import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last rows of a range of keys, from the last on. Servers read forward only: so region after
 * region is read from its first row on, the last region first, and as many of its last rows are
 * kept as are asked for. Regions before those that have enough rows are not read. Owned by the
 * thread that reads the result.
 */
final class LastRows implements Enumerator<@Nullable Object> {
    private final Table table;
    private final ScanSpec spec;
    private final RowReader reader;
    private final Parameters parameters;

    /** Regions' parts of the range that have not been read, in the order of keys. */
    private final Deque<KeyRange> ranges = new ArrayDeque<>();

    /** Rows that have been read and not delivered, in the order of keys. */
    private final Deque<ColumnBatch> batches = new ArrayDeque<>();

    private long skipped;
    private long wanted;
    private ColumnBatch batch;
    private int row;

    /**
     * @param spec whose limit is that of all rows, skipped ones too
     * @param skipped how many rows are left out at first
     */
    LastRows(Table table, ScanSpec spec, RowReader reader, long skipped, Parameters parameters) {
        this.table = table;
        this.spec = spec.withLimit(ScanSpec.NO_LIMIT);
        this.reader = reader;
        this.skipped = skipped;
        this.wanted = spec.limit();
        this.parameters = parameters;
        this.batch = new ColumnBatch(List.of());
        if (wanted > skipped) {
            for (RegionInfo region : table.regions().regions()) {
                if (region.range().overlaps(spec.range())) {
                    ranges.addLast(region.range().intersect(spec.range()));
                }
            }
        }
    }

    @Override
    public boolean moveNext() {
        do {
            if (wanted == 0 || row == 0 && !nextBatch()) {
                return false;
            }
            wanted--;
            row--;
        } while (skipped-- > 0);
        return true;
    }

    private boolean nextBatch() {
        while (batches.isEmpty()) {
            if (ranges.isEmpty()) {
                return false;
            }
            read(ranges.removeLast());
        }
        batch = batches.removeLast();
        row = batch.rowCount();
        return true;
    }

    private void read(KeyRange range) {
        parameters.checkCancelled();
        try (Scan scan = table.scan(spec.withRange(range))) {
            long kept = 0;
            ColumnBatch next = newBatch(scan);
            while (scan.next(next)) {
                parameters.checkCancelled();
                batches.addLast(next);
                kept += next.rowCount();
                next = null;
                while (kept - batches.getFirst().rowCount() >= wanted) {
                    next = batches.removeFirst();
                    kept -= next.rowCount();
                }
                if (next == null) {
                    next = newBatch(scan);
                }
            }
        }
    }

    /** Many may be kept of a row each, so it has room for no more than come. */
    private static ColumnBatch newBatch(Scan scan) {
        return ColumnBatch.forColumns(scan.columns(), 0);
    }

    @Override
    public @Nullable Object current() {
        return reader.row(batch, row);
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException("rows are read once");
    }

    @Override
    public void close() {
        batches.clear();
        ranges.clear();
    }
}
