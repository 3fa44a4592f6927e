package dev.penstock.kv;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.Routes;
import dev.penstock.kv.client.RowWriter;
import dev.penstock.kv.client.TableReader;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LoadDestination;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One table of a store: rows in, rows out. Thread-safe; valid while its {@link Penstock} is open
 * and until the table is dropped: of another one that is given its name afterwards it knows
 * nothing.
 */
public final class Table implements LoadDestination {
    private final Penstock store;
    private final Cluster cluster;
    private final Routes routes;
    private final TableDescriptor table;
    private final TableSchema schema;
    private final RowWriter writer;
    private final TableReader reader;

    Table(Penstock store, Cluster cluster, Routes routes, TableDescriptor table, RowWriter writer) {
        this.store = store;
        this.cluster = cluster;
        this.routes = routes;
        this.table = table;
        this.schema = table.schema();
        this.writer = writer;
        this.reader = new TableReader(cluster, routes, table);
    }

    public TableSchema schema() {
        return schema;
    }

    @Override
    public LoadTarget loadTarget() {
        return store.loadTarget();
    }

    @Override
    public String tableName() {
        return schema.name();
    }

    /** The latest epoch: what a scan sees that starts now. */
    public long epoch() {
        return cluster.metadata().epoch();
    }

    /**
     * Stores rows, replacing those with equal keys; durable and visible on return. Rows of one
     * region become visible together, up to {@link RowWriter#MAX_ROWS} of them.
     *
     * @param rows all of the table's columns in table order; of a table without a key the last,
     *     hidden one may be left out: then each row gets a new id
     */
    public void put(ColumnBatch rows) {
        writer.put(rows);
    }

    /**
     * Stores rows if none of their keys has a row, and no two of them the same: all of them,
     * durable and visible on return, or none. Rows of one region, up to {@link RowWriter#MAX_ROWS},
     * are asked for and stored in one step, in one call. Rows of several regions are asked for
     * first, and each region looks again when it stores its part.
     *
     * @param rows as for {@link #put}
     * @return -1, or the index of the first row whose key has a row or is that of a row before it
     * @throws PenstockException of category CONFLICT if another writer stored such a row after the
     *     regions were asked; then some of the rows may be stored
     */
    public int insert(ColumnBatch rows) {
        return writer.insert(rows);
    }

    /** Removes the rows with these encoded keys; keys without a row are no error. */
    public void delete(List<byte[]> keys) {
        writer.delete(keys);
    }

    /**
     * Fails with category CONFLICT as {@link #put} would fail now for the sake of a load, and
     * changes nothing.
     *
     * @param keys encoded keys of the rows
     */
    public void checkPut(List<byte[]> keys) {
        writer.check(keys, false);
    }

    /** The same for {@link #delete}. */
    public void checkDelete(List<byte[]> keys) {
        writer.check(keys, true);
    }

    /** The row with that encoded key as a batch of one row with all of the table's columns. */
    public Optional<ColumnBatch> get(byte[] key) {
        return routes.call(
                table,
                key,
                region ->
                        cluster.locate(region.server())
                                .get(region.regionId(), key, RegionService.LATEST));
    }

    /** The index of the first of these encoded keys that has a row now, or -1 if none has. */
    public int firstPresent(List<byte[]> keys) {
        return keys.isEmpty() ? -1 : reader.firstPresent(keys);
    }

    /** Begins a scan at the latest epoch, unless the spec names another. */
    public Scan scan(ScanSpec spec) {
        List<Column> columns = new ArrayList<>(spec.projection().length);
        for (int index : spec.projection()) {
            if (index < 0 || index >= schema.columnCount()) {
                throw PenstockException.usage(
                        "table " + schema.name() + " has no column number " + index);
            }
            columns.add(schema.column(index));
        }
        long epoch = spec.epoch() == ScanSpec.LATEST ? epoch() : spec.epoch();
        return new Scan(cluster, routes, table, columns, spec, epoch);
    }

    public long count() {
        return count(KeyRange.ALL, Predicate.ALWAYS);
    }

    /** Rows in the range for which the predicate is true, as of one epoch. */
    public long count(KeyRange range, Predicate predicate) {
        return reader.count(epoch(), range, predicate);
    }

    /**
     * Aggregates rows where they are stored, as of one epoch; {@link
     * dev.penstock.aggregate.ResultRows} makes rows of the result.
     *
     * @throws PenstockException of category USAGE if the query does not fit the table, LIMIT if its
     *     result has more than {@link AggregateQuery#MAX_GROUPS} groups, DATA if a sum has more
     *     than 38 digits
     */
    public PartialResult aggregate(AggregateQuery query) {
        return aggregate(query, epoch());
    }

    /** The same at an epoch of {@link #epoch} or {@link Scan#epoch}. */
    public PartialResult aggregate(AggregateQuery query, long epoch) {
        query.check(schema);
        return reader.aggregate(epoch, query);
    }

    /** Reads everything, checks every stored checksum on the way and sums up the values. */
    public TableChecksum checksum() {
        long epoch = epoch();
        long rowCount = 0;
        long provenRows = 0;
        long[] sums = new long[schema.columnCount()];
        for (RegionChecksum part : reader.checksums(epoch)) {
            if (part.columnSums().length != sums.length) {
                throw PenstockException.corrupt(
                        "region "
                                + part.regionId()
                                + " sent "
                                + part.columnSums().length
                                + " sums for "
                                + sums.length
                                + " columns");
            }
            rowCount += part.rowCount();
            provenRows += part.provenRows();
            for (int i = 0; i < sums.length; i++) {
                sums[i] += part.columnSums()[i];
            }
        }
        return new TableChecksum(epoch, rowCount, provenRows, sums);
    }

    /** The table's regions now, in key order. */
    public RegionMap regions() {
        List<RegionInfo> regions = new ArrayList<>();
        for (RegionAssignment region : routes.refresh(table)) {
            regions.add(
                    new RegionInfo(region.regionId(), region.range(), region.server().address()));
        }
        return new RegionMap(schema.name(), regions);
    }
}
