package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.api.ScanCursor;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** A scan's sources one after the other, up to the limit. */
final class RegionScan implements ScanCursor {
    private final RegionSnapshot snapshot;
    private final Iterator<Supplier<RowSource>> sources;
    private @Nullable RowSource current;
    private long remaining;

    RegionScan(RegionSnapshot snapshot, List<Supplier<RowSource>> sources, long limit) {
        this.snapshot = snapshot;
        this.sources = sources.iterator();
        this.remaining = limit;
    }

    @Override
    public boolean next(ColumnBatch out) {
        return snapshot.read(() -> advance(out));
    }

    private boolean advance(ColumnBatch out) {
        while (remaining > 0) {
            RowSource source = current;
            if (source != null && source.next(out)) {
                out.setRowCount((int) Math.min(remaining, out.rowCount()));
                remaining -= out.rowCount();
                return true;
            }
            if (!sources.hasNext()) {
                break;
            }
            current = sources.next().get();
        }
        out.clear();
        return false;
    }

    @Override
    public void close() {
        snapshot.close();
    }
}
