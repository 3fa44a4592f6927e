package dev.penstock.kv.client;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.wire.BatchCodec;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sends single rows and deletes to the regions that hold their keys, in calls of bounded size.
 *
 * <p>Rows of a table without a key get ids from a number of their own, taken from the leader as a
 * load would take one: at the first such put a load begins and is aborted, and its ordinal, which
 * no other load will ever have, heads the ids that this writer counts up.
 *
 * <p>Thread-safe.
 */
public final class RowWriter {
    /** Most rows of one call to a region. */
    public static final int MAX_ROWS = 8192;

    /** About the most bytes of one call to a region. */
    private static final long MAX_CALL_BYTES = 16L << 20;

    /** Bits of a hidden row id below the load's ordinal. */
    private static final int ROW_BITS = 44;

    private static final int MAX_ATTEMPTS = 4;

    private final Cluster cluster;
    private final Routes routes;
    private final TableSchema schema;
    private final KeyCodec keys;
    private long nextRowId;
    private boolean hasRowIds;

    public RowWriter(Cluster cluster, Routes routes, TableSchema schema) {
        this.cluster = cluster;
        this.routes = routes;
        this.schema = schema;
        this.keys = new KeyCodec(schema);
    }

    /** See {@link dev.penstock.kv.Table#put}. */
    public void put(ColumnBatch rows) {
        if (rows.rowCount() == 0) {
            return;
        }
        ColumnBatch complete = complete(rows);
        checkForm(complete);
        int count = complete.rowCount();
        byte[][] rowKeys = new byte[count][];
        for (int row = 0; row < count; row++) {
            rowKeys[row] = keys.encode(complete, row);
        }
        Pending pending = new Pending(count);
        for (int attempt = 1; ; attempt++) {
            try {
                putPending(complete, rowKeys, pending);
                return;
            } catch (PenstockException e) {
                if (e.category() != ErrorCategory.REROUTE || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                routes.refresh(schema.name());
            }
        }
    }

    /** See {@link dev.penstock.kv.Table#delete}. */
    public void delete(List<byte[]> deleted) {
        Pending pending = new Pending(deleted.size());
        for (int attempt = 1; ; attempt++) {
            try {
                deletePending(deleted, pending);
                return;
            } catch (PenstockException e) {
                if (e.category() != ErrorCategory.REROUTE || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                routes.refresh(schema.name());
            }
        }
    }

    /** Rows that have not been acknowledged yet; a row sent twice would do no harm. */
    private static final class Pending {
        private final boolean[] done;

        Pending(int count) {
            done = new boolean[count];
        }
    }

    private void putPending(ColumnBatch rows, byte[][] rowKeys, Pending pending) {
        long epoch = cluster.metadata().epoch();
        for (var entry : byRegion(Arrays.asList(rowKeys), pending).entrySet()) {
            RegionAssignment region = entry.getValue().region;
            int[] indexes = entry.getValue().rows.stream().mapToInt(i -> i).toArray();
            int from = 0;
            while (from < indexes.length) {
                int to = from;
                long bytes = 0;
                while (to < indexes.length && to - from < MAX_ROWS && bytes < MAX_CALL_BYTES) {
                    bytes += BatchCodec.rowBytes(rows, indexes[to++]);
                }
                cluster.locate(region.server())
                        .put(region.regionId(), pick(rows, indexes, from, to), epoch);
                for (int i = from; i < to; i++) {
                    pending.done[indexes[i]] = true;
                }
                from = to;
            }
        }
    }

    private void deletePending(List<byte[]> deleted, Pending pending) {
        long epoch = cluster.metadata().epoch();
        for (var entry : byRegion(deleted, pending).entrySet()) {
            RegionAssignment region = entry.getValue().region;
            List<Integer> rows = entry.getValue().rows;
            for (int from = 0; from < rows.size(); from += MAX_ROWS) {
                List<Integer> part = rows.subList(from, Math.min(rows.size(), from + MAX_ROWS));
                cluster.locate(region.server())
                        .delete(region.regionId(), part.stream().map(deleted::get).toList(), epoch);
                part.forEach(row -> pending.done[row] = true);
            }
        }
    }

    private record Group(RegionAssignment region, List<Integer> rows) {}

    /** Indexes of the pending keys by region, in their order. */
    private Map<Long, Group> byRegion(List<byte[]> encoded, Pending pending) {
        Map<Long, Group> groups = new TreeMap<>();
        for (int row = 0; row < encoded.size(); row++) {
            if (!pending.done[row]) {
                RegionAssignment region = routes.regionOf(schema.name(), encoded.get(row));
                groups.computeIfAbsent(
                                region.regionId(), id -> new Group(region, new ArrayList<>()))
                        .rows
                        .add(row);
            }
        }
        return groups;
    }

    /** A batch of the chosen rows; the batch itself if all are chosen in order. */
    private static ColumnBatch pick(ColumnBatch rows, int[] indexes, int from, int to) {
        if (to - from == rows.rowCount()) {
            return rows;
        }
        return BatchCodec.pick(rows, indexes, from, to);
    }

    private void checkForm(ColumnBatch rows) {
        if (rows.columnCount() != schema.columnCount()) {
            throw PenstockException.usage(
                    "table "
                            + schema.name()
                            + " has "
                            + schema.columnCount()
                            + " columns, but the rows have "
                            + rows.columnCount());
        }
        for (int i = 0; i < rows.columnCount(); i++) {
            boolean longs = rows.column(i) instanceof LongColumn;
            if (longs != (schema.column(i).type().kind() == PhysicalKind.LONG)) {
                throw PenstockException.usage(
                        "the values of column " + schema.column(i).name() + " are of another kind");
            }
            if (!schema.column(i).nullable()
                    && rows.column(i).validity().nullCount(rows.rowCount()) > 0) {
                throw PenstockException.data(
                        "column " + schema.column(i).name() + " may not be NULL");
            }
        }
    }

    /** The rows with their hidden ids, if the table has them and the rows do not. */
    private ColumnBatch complete(ColumnBatch rows) {
        if (!schema.hiddenRowId() || rows.columnCount() != schema.visibleColumnCount()) {
            return rows;
        }
        int count = rows.rowCount();
        LongColumn ids = new LongColumn(count);
        long first = takeRowIds(count);
        for (int i = 0; i < count; i++) {
            ids.values()[i] = first + i;
        }
        List<ColumnData> columns = new ArrayList<>(rows.columnCount() + 1);
        for (int i = 0; i < rows.columnCount(); i++) {
            columns.add(rows.column(i));
        }
        columns.add(ids);
        ColumnBatch complete = new ColumnBatch(columns);
        complete.setRowCount(count);
        return complete;
    }

    private synchronized long takeRowIds(int count) {
        if (!hasRowIds) {
            LoadRequest request =
                    new LoadRequest(
                            schema.name(),
                            "",
                            DuplicatePolicy.ERROR,
                            Dialect.csv(),
                            List.of(),
                            List.of(),
                            false);
            LoadDescriptor load = cluster.metadata().beginLoad(request);
            cluster.metadata().abort(load.loadId());
            nextRowId = load.ordinal() << ROW_BITS;
            hasRowIds = true;
        }
        long first = nextRowId;
        nextRowId += count;
        return first;
    }
}
