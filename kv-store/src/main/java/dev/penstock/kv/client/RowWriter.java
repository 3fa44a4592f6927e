package dev.penstock.kv.client;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.wire.BatchCodec;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Sends single rows and deletes to the regions that hold their keys, in calls of bounded size.
 *
 * <p>Thread-safe.
 */
public final class RowWriter {
    /** Most rows of one call to a region. */
    public static final int MAX_ROWS = 8192;

    /** About the most bytes of one call to a region. */
    private static final long MAX_CALL_BYTES = 16L << 20;

    /** Instead of the index of a row. */
    private static final int NONE = -1;

    private final Cluster cluster;
    private final Routes routes;
    private final TableDescriptor table;
    private final TableSchema schema;
    private final KeyCodec keys;
    private final RowIds rowIds;

    /**
     * Of a table.
     *
     * @param rowIds for its rows if it has no key
     */
    public RowWriter(Cluster cluster, Routes routes, TableDescriptor table, RowIds rowIds) {
        this.rowIds = rowIds;
        this.cluster = cluster;
        this.routes = routes;
        this.table = table;
        this.schema = table.schema();
        this.keys = new KeyCodec(schema);
    }

    /** See {@link dev.penstock.kv.Table#put}. */
    public void put(ColumnBatch rows) {
        if (rows.rowCount() == 0) {
            return;
        }
        ColumnBatch complete = complete(rows);
        checkForm(complete);
        byte[][] rowKeys = keysOf(complete);
        Pending pending = new Pending(rowKeys.length);
        rerouting(() ->
                eachPart(
                        complete,
                        rowKeys,
                        pending,
                        part ->
                                serviceOf(part)
                                        .put(
                                                part.region.regionId(),
                                                part.rows,
                                                RegionService.LATEST)));
    }

    /** See {@link dev.penstock.kv.Table#insert}. */
    public int insert(ColumnBatch rows) {
        if (rows.rowCount() == 0 || schema.hiddenRowId()) {
            put(rows);
            return NONE;
        }
        checkForm(rows);
        byte[][] rowKeys = keysOf(rows);
        Insertion insertion = new Insertion(rowKeys.length);
        int present = fitsOneCall(rows, rowKeys) ? NONE : firstPresent(rowKeys);
        if (present == NONE) {
            rerouting(() ->
                    eachPart(rows, rowKeys, insertion.pending, part -> insert(part, insertion)));
            present = insertion.present;
        }
        return present;
    }

    /** What became of an insert so far. */
    private static final class Insertion {
        private final Pending pending;
        private boolean stored;
        private int present = NONE;

        Insertion(int count) {
            pending = new Pending(count);
        }
    }

    private void insert(Part part, Insertion insertion) {
        if (insertion.present != NONE) {
            return;
        }
        long found =
                serviceOf(part).insert(part.region.regionId(), part.rows, RegionService.LATEST);
        if (found >= part.indexes.length) {
            throw PenstockException.corrupt(
                    "region " + part.region.regionId() + " names a row that was not sent");
        }
        if (found < 0) {
            insertion.stored = true;
            return;
        }
        if (insertion.stored) {
            throw PenstockException.conflict(
                    "another writer stored a row of table "
                            + schema.name()
                            + " with one of the same keys meanwhile; some of the rows are stored");
        }
        insertion.present = part.indexes[(int) found];
    }

    private boolean fitsOneCall(ColumnBatch rows, byte[][] rowKeys) {
        RegionAssignment region = routes.regionOf(table, rowKeys[0]);
        int[] all = new int[rowKeys.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
            if (!region.range().contains(rowKeys[i])) {
                return false;
            }
        }
        return endOfCall(rows, all, 0) == all.length;
    }

    /** The first row whose key the table has or a row before has. */
    private int firstPresent(byte[][] rowKeys) {
        Set<ByteBuffer> seen = HashSet.newHashSet(rowKeys.length);
        int twice = 0;
        while (twice < rowKeys.length && seen.add(ByteBuffer.wrap(rowKeys[twice]))) {
            twice++;
        }
        int present =
                new TableReader(cluster, routes, table)
                        .firstPresent(Arrays.asList(rowKeys).subList(0, twice));
        return present != NONE || twice == rowKeys.length ? present : twice;
    }

    private byte[][] keysOf(ColumnBatch rows) {
        byte[][] rowKeys = new byte[rows.rowCount()][];
        for (int row = 0; row < rowKeys.length; row++) {
            rowKeys[row] = keys.encode(rows, row);
        }
        return rowKeys;
    }

    private void rerouting(Runnable call) {
        routes.rerouting(
                table,
                () -> {
                    call.run();
                    return true;
                });
    }

    /** See {@link dev.penstock.kv.Table#delete}. */
    public void delete(List<byte[]> deleted) {
        eachPart(
                deleted,
                (region, keys) ->
                        serviceOf(region).delete(region.regionId(), keys, RegionService.LATEST));
    }

    /** See {@link dev.penstock.kv.Table#checkPut} and {@link dev.penstock.kv.Table#checkDelete}. */
    public void check(List<byte[]> checked, boolean removal) {
        eachPart(
                checked,
                (region, keys) ->
                        serviceOf(region)
                                .checkWrite(
                                        region.regionId(), keys, removal, RegionService.LATEST));
    }

    /** Rows that have not been acknowledged yet; a row sent twice would do no harm. */
    private static final class Pending {
        private final boolean[] done;

        Pending(int count) {
            done = new boolean[count];
        }
    }

    /** Rows on their way to one region. */
    private record Part(RegionAssignment region, ColumnBatch rows, int[] indexes) {}

    /** Cuts the pending rows into calls and has each of them sent. */
    private void eachPart(
            ColumnBatch rows, byte[][] rowKeys, Pending pending, Consumer<Part> send) {
        for (Group group : byRegion(Arrays.asList(rowKeys), pending).values()) {
            int[] indexes = group.rows.stream().mapToInt(i -> i).toArray();
            int from = 0;
            while (from < indexes.length) {
                int to = endOfCall(rows, indexes, from);
                int[] sent = Arrays.copyOfRange(indexes, from, to);
                send.accept(new Part(group.region, pick(rows, indexes, from, to), sent));
                for (int index : sent) {
                    pending.done[index] = true;
                }
                from = to;
            }
        }
    }

    private static int endOfCall(ColumnBatch rows, int[] indexes, int from) {
        int to = from;
        long bytes = 0;
        while (to < indexes.length && to - from < MAX_ROWS && bytes < MAX_CALL_BYTES) {
            bytes += BatchCodec.rowBytes(rows, indexes[to++]);
        }
        return to;
    }

    /** The end of what a call takes of these keys, one at least. */
    static int endOfCall(List<byte[]> keys, int from) {
        int to = from;
        long bytes = 0;
        while (to < keys.size() && to - from < MAX_ROWS && bytes < MAX_CALL_BYTES) {
            bytes += keys.get(to++).length;
        }
        return to;
    }

    private RegionService serviceOf(Part part) {
        return serviceOf(part.region);
    }

    private RegionService serviceOf(RegionAssignment region) {
        return cluster.locate(region.server());
    }

    /** Cuts keys into calls and has each of them sent. */
    private void eachPart(List<byte[]> encoded, BiConsumer<RegionAssignment, List<byte[]>> send) {
        Pending pending = new Pending(encoded.size());
        rerouting(() ->
                byRegion(encoded, pending)
                        .values()
                        .forEach(group -> {
                            List<byte[]> keys = group.rows.stream().map(encoded::get).toList();
                            for (int from = 0, to; from < keys.size(); from = to) {
                                to = endOfCall(keys, from);
                                send.accept(group.region, keys.subList(from, to));
                                group.rows
                                        .subList(from, to)
                                        .forEach(row -> pending.done[row] = true);
                            }
                        }));
    }

    private record Group(RegionAssignment region, List<Integer> rows) {}

    /** Indexes of the pending keys by region, in their order. */
    private Map<Long, Group> byRegion(List<byte[]> encoded, Pending pending) {
        Map<Long, Group> groups = new TreeMap<>();
        for (int row = 0; row < encoded.size(); row++) {
            if (!pending.done[row]) {
                RegionAssignment region = routes.regionOf(table, encoded.get(row));
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
                            + Counted.of(schema.columnCount(), "column")
                            + ", but the rows have "
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
        long first = rowIds.take(count);
        for (int i = 0; i < count; i++) {
            ids.values()[i] = first + i;
        }
        return rows.plus(ids);
    }
}
