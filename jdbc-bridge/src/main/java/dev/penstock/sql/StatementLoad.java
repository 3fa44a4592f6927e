package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Table;
import dev.penstock.loader.route.RegionPartitioner;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.Deserialize;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.PublishDoubt;
import dev.penstock.target.RegionReceipt;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The load of one statement: its rows are sent chunk by chunk, as they are, and sorted and encoded
 * by the regions. All become visible when it is published; closed before, it leaves nothing. Owned
 * by one thread.
 */
final class StatementLoad implements AutoCloseable {
    private final TableSchema schema;
    private final DuplicatePolicy duplicates;
    private final LoadSession session;
    private final UUID loadId;
    private final RegionPartitioner regions;
    private final Encode encode;
    private final Encode.Choice[] plain;
    private final ByteBuilder image = new ByteBuilder(1 << 16);
    private int chunks;
    private long rowCount;

    private StatementLoad(TableSchema schema, DuplicatePolicy duplicates, LoadSession session) {
        this.schema = schema;
        this.duplicates = duplicates;
        this.session = session;
        this.loadId = UUID.fromString(session.loadId());
        this.regions = new RegionPartitioner(schema, session.regions());
        this.encode = new Encode(schema);
        this.plain = new Encode.Choice[schema.columnCount()];
        Arrays.fill(plain, Encode.Choice.PLAIN);
    }

    /**
     * Begins a load.
     *
     * @param target that of the table's store; stays open
     * @throws PenstockException of category CONFLICT if another table has the name meanwhile
     */
    static StatementLoad begin(Table table, LoadTarget target, DuplicatePolicy duplicates) {
        TableSchema schema = table.schema();
        LoadRequest request =
                LoadRequest.intoExisting(
                        schema.name(),
                        "",
                        duplicates,
                        Dialect.csv(),
                        IntStream.range(0, schema.visibleColumnCount()).boxed().toList(),
                        List.of("an SQL statement"),
                        false);
        LoadSession session = target.begin(request, _ -> {});
        try {
            // A table with a load cannot be dropped, so if it is this one now it remains so.
            table.regions();
            return new StatementLoad(schema, duplicates, session);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** Sends rows of all visible columns, after those sent before. */
    void send(ColumnBatch rows) {
        int chunk = chunks++;
        ColumnBatch byRegion = regions.run(complete(rows, chunk));
        int[] bounds = regions.bounds();
        for (int region = 0; region + 1 < bounds.length; region++) {
            if (bounds[region] < bounds[region + 1]) {
                send(chunk, region, byRegion, bounds[region], bounds[region + 1]);
            }
        }
        rowCount += rows.rowCount();
    }

    private void send(int chunk, int region, ColumnBatch rows, int from, int to) {
        image.clear();
        encode.run(rows, from, to, plain, false, SegmentIdentity.ofChunk(loadId, chunk), image);
        long regionId = session.regions().region(region).regionId();
        session.send(
                new FragmentHeader(chunk, regionId, FragmentForm.TYPED, to - from),
                image.array(),
                image.length());
    }

    /** With hidden row ids, if the table has them. */
    private ColumnBatch complete(ColumnBatch rows, int chunk) {
        if (!schema.hiddenRowId()) {
            return rows;
        }
        LongColumn ids = new LongColumn(rows.rowCount());
        for (int row = 0; row < rows.rowCount(); row++) {
            ids.values()[row] = Deserialize.rowId(session.loadOrdinal(), chunk, row);
        }
        return rows.plus(ids);
    }

    /**
     * Makes all rows visible at once.
     *
     * @param checkCancelled ends the statement if it was cancelled; asked last right before
     * @throws DuplicateKey if the load does not replace and a row has a key that is there
     * @throws InDoubt if the answer was lost, so that the rows may be visible
     */
    void publish(Runnable checkCancelled) {
        checkArrived(finish());
        checkCancelled.run();
        try {
            session.publish("");
        } catch (PenstockException e) {
            throw abortAfter(e);
        }
    }

    private List<RegionReceipt> finish() {
        try {
            return session.finish(_ -> {});
        } catch (PenstockException e) {
            // Values were checked before they were sent: what can be wrong is a key.
            throw duplicates == DuplicatePolicy.ERROR && e.category() == ErrorCategory.DATA
                    ? DuplicateKey.inserted(schema, e)
                    : e;
        }
    }

    private void checkArrived(List<RegionReceipt> receipts) {
        long arrived = 0;
        for (RegionReceipt receipt : receipts) {
            arrived += receipt.rowCount() + receipt.duplicateRows();
        }
        if (arrived != rowCount) {
            throw PenstockException.internal(
                    "the regions of table "
                            + schema.name()
                            + " have "
                            + arrived
                            + " of "
                            + rowCount
                            + " rows of the statement; nothing was stored");
        }
    }

    private RuntimeException abortAfter(PenstockException failure) {
        try {
            session.abort();
            return PublishDoubt.settled(failure);
        } catch (PenstockException refusal) {
            return new InDoubt(PublishDoubt.explained(failure, refusal));
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
