package dev.penstock.target;

import dev.penstock.batch.ColumnSums;
import dev.penstock.reject.Reject;
import dev.penstock.step.StepTimes;
import java.util.List;

/**
 * One region's part of a load, durable but not yet visible.
 *
 * @param rowCount rows that publishing will add
 * @param duplicateRows rows left out by {@link DuplicatePolicy}
 * @param bytesStored bytes of the segment files
 * @param stored sums of {@code rowCount} rows as they are stored; none unless the load asks
 * @param dropped sums of {@code duplicateRows} rows, likewise
 * @param rejects records refused by steps that were deferred to {@link LoadSession#finish}
 * @param times CPU time spent at the region server on this load and region
 */
public record RegionReceipt(
        long regionId,
        String server,
        long rowCount,
        long duplicateRows,
        long bytesStored,
        List<ColumnOutcome> columns,
        ColumnSums stored,
        ColumnSums dropped,
        List<Reject> rejects,
        StepTimes times) {

    /** A receipt without sums. */
    public RegionReceipt(
            long regionId,
            String server,
            long rowCount,
            long duplicateRows,
            long bytesStored,
            List<ColumnOutcome> columns,
            List<Reject> rejects,
            StepTimes times) {
        this(
                regionId,
                server,
                rowCount,
                duplicateRows,
                bytesStored,
                columns,
                ColumnSums.NONE,
                ColumnSums.NONE,
                rejects,
                times);
    }
}
