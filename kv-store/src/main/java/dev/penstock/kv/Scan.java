package dev.penstock.kv;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.Routes;
import dev.penstock.schema.Column;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The rows of one scan in key order, batch by batch, all as of one epoch. Reads region after region
 * and holds one batch (and, over a connection, the next reply) at a time. Owned by one thread; to
 * be closed.
 */
public final class Scan implements AutoCloseable {

    private final Cluster cluster;
    private final Routes routes;
    private final TableDescriptor table;
    private final List<Column> columns;
    private final ScanSpec spec;
    private final long epoch;

    private @Nullable ScanCursor cursor;
    private byte[] position;
    private byte[] regionEnd = new byte[0];
    private long remaining;
    private boolean ended;

    Scan(
            Cluster cluster,
            Routes routes,
            TableDescriptor table,
            List<Column> columns,
            ScanSpec spec,
            long epoch) {
        this.cluster = cluster;
        this.routes = routes;
        this.table = table;
        this.columns = List.copyOf(columns);
        this.spec = spec;
        this.epoch = epoch;
        this.position = spec.range().start();
        this.remaining = spec.limit();
    }

    /** The snapshot that is read. */
    public long epoch() {
        return epoch;
    }

    /** The result's columns. */
    public List<Column> columns() {
        return columns;
    }

    /** An empty batch of the result's columns. */
    public ColumnBatch newBatch() {
        return ColumnBatch.forColumns(columns, 1024);
    }

    /**
     * Replaces the contents of {@code out} by the next rows, at least one.
     *
     * @param out from {@link #newBatch}
     * @return false if there are no more rows
     */
    public boolean next(ColumnBatch out) {
        while (!ended) {
            if (remaining == 0) {
                close();
                break;
            }
            boolean any = cursor == null ? openAndRead(out) : cursor.next(out);
            if (any) {
                remaining -= out.rowCount();
                return true;
            }
            closeCursor();
            if (regionEnd.length == 0 || !beforeEnd(regionEnd)) {
                ended = true;
            } else {
                position = regionEnd;
            }
        }
        out.clear();
        return false;
    }

    /** Hands all remaining rows to {@code consumer}, which must not keep the batch. */
    public void forEachBatch(Consumer<ColumnBatch> consumer) {
        ColumnBatch batch = newBatch();
        while (next(batch)) {
            consumer.accept(batch);
        }
    }

    /**
     * Opens the region at {@link #position} and reads its first rows, on a fresh route if need be.
     */
    private boolean openAndRead(ColumnBatch out) {
        for (int attempt = 1; ; attempt++) {
            RegionAssignment region = routes.regionOf(table, position);
            KeyRange rest = new KeyRange(position, spec.range().end());
            regionEnd = region.range().end();
            try {
                cursor =
                        cluster.locate(region.server())
                                .openScan(
                                        new ScanRequest(
                                                region.regionId(),
                                                epoch,
                                                rest.intersect(region.range()),
                                                spec.projection(),
                                                spec.predicate(),
                                                remaining));
                return cursor.next(out);
            } catch (PenstockException e) {
                closeCursor();
                if (e.category() != ErrorCategory.REROUTE || attempt == Routes.MAX_ATTEMPTS) {
                    throw e;
                }
                routes.refresh(table, attempt);
            }
        }
    }

    private boolean beforeEnd(byte[] key) {
        byte[] end = spec.range().end();
        return end.length == 0 || Arrays.compareUnsigned(key, end) < 0;
    }

    private void closeCursor() {
        if (cursor != null) {
            cursor.close();
            cursor = null;
        }
    }

    @Override
    public void close() {
        ended = true;
        closeCursor();
    }
}
