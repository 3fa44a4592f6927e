package dev.penstock.loader;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.plan.ResolvedLoad;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.RegionMap;
import dev.penstock.target.RegionReceipt;
import dev.penstock.target.Verification;

import java.util.List;

/**
 * What all regions hold of a load.
 *
 * @param rows of all regions
 * @param duplicates rows left out
 * @param regionRows rows of each region of the table
 * @param receipts of all regions
 */
record StoredRows(long rows, long duplicates, long[] regionRows, List<RegionReceipt> receipts) {
    /** The same, so many duplicates being rejects. */
    StoredRows withRejected(long refused) {
        return new StoredRows(rows, duplicates - refused, regionRows, receipts);
    }

    /** What the receipts say, if their rows with duplicates and rejects are what was sent. */
    static StoredRows verify(
            ResolvedLoad load,
            ChunkTotals totals,
            List<RegionReceipt> receipts,
            RejectLog rejects,
            RegionMap regions,
            Continuation continuation) {
        long rows = 0;
        long duplicates = 0;
        long[] regionRows = new long[regions.size()];
        for (RegionReceipt receipt : receipts) {
            rows += receipt.rowCount();
            duplicates += receipt.duplicateRows();
            for (int i = 0; i < regionRows.length; i++) {
                if (regions.region(i).regionId() == receipt.regionId()) {
                    regionRows[i] += receipt.rowCount();
                }
            }
        }
        if (load.spec().verification() == Verification.OFF) {
            return new StoredRows(
                    rows, totals.duplicatesDropped() + duplicates, regionRows, receipts);
        }
        long expected = totals.records() - rejects.count() - totals.duplicatesDropped();
        if (rows + duplicates != expected) {
            continuation.giveUp();
            throw PenstockException.internal(
                    "The regions of table "
                            + load.schema().name()
                            + " account for "
                            + Counted.of(rows + duplicates, "row")
                            + " where "
                            + expected
                            + Counted.verb(expected, " was", " were")
                            + " sent; the load was aborted.");
        }
        if (load.cut() != FragmentForm.RAW) {
            verifySums(load, totals, receipts, continuation);
        }
        return new StoredRows(rows, totals.duplicatesDropped() + duplicates, regionRows, receipts);
    }

    /**
     * Compares the sums of what was parsed with those of what all regions have, if there are any.
     */
    private static void verifySums(
            ResolvedLoad load,
            ChunkTotals totals,
            List<RegionReceipt> receipts,
            Continuation continuation) {
        if (!load.spec().verification().sums()) {
            return;
        }
        TableSchema schema = load.schema();
        ColumnSums arrived = new ColumnSums(schema.columnCount());
        for (RegionReceipt receipt : receipts) {
            if (receipt.stored().columnCount() != schema.columnCount()
                    || receipt.dropped().columnCount() != schema.columnCount()) {
                continuation.giveUp();
                throw PenstockException.corrupt(
                        "Region "
                                + receipt.regionId()
                                + " of table "
                                + schema.name()
                                + " gave no checksums; the load was aborted.");
            }
            arrived.add(receipt.stored());
            arrived.add(receipt.dropped());
        }
        int column = arrived.firstDifference(ColumnSums.of(arrived.rowCount(), totals.sums()));
        if (column >= 0) {
            continuation.giveUp();
            throw PenstockException.corrupt(
                    "The regions of table "
                            + schema.name()
                            + " have, all together, another checksum of column "
                            + schema.column(column).name()
                            + " than the rows that were parsed; the load was aborted.");
        }
    }
}
