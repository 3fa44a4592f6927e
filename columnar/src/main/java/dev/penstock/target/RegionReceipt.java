package dev.penstock.target;

import dev.penstock.batch.ColumnSums;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.step.StepTimes;
import java.util.List;

/**
 * One region's part of a load, durable but not yet visible.
 *
 * @param rowCount rows that publishing will add
 * @param duplicateRows rows left out by {@link DuplicatePolicy}
 * @param bytesStored bytes of the segment files
 * @param replacedRows rows that the table has and publishing will replace
 * @param stored sums of {@code rowCount} rows as they are stored; none unless the load asks
 * @param dropped sums of {@code duplicateRows} rows, likewise
 * @param rejects records refused by steps that were deferred to {@link LoadSession#finish}, and
 *     each key of which the policy rejects rows as a {@link DuplicateKey}; those
 *     rows are among {@code duplicateRows}, and their keys may be too many to name all of them
 * @param times CPU time spent at the region server on this load and region
 */
public record RegionReceipt(
        long regionId,
        String server,
        long rowCount,
        long duplicateRows,
        long replacedRows,
        long bytesStored,
        List<ColumnOutcome> columns,
        ColumnSums stored,
        ColumnSums dropped,
        List<Reject> rejects,
        StepTimes times) {
    /** The rejects that are records. */
    public List<Reject> rejectedRecords() {
        return rejects.stream().filter(reject -> !DuplicateKey.is(reject)).toList();
    }

    /** The same without {@link #rejects}. */
    public RegionReceipt withoutRejects() {
        return new RegionReceipt(
                regionId,
                server,
                rowCount,
                duplicateRows,
                replacedRows,
                bytesStored,
                columns,
                stored,
                dropped,
                List.of(),
                times);
    }

    /** Of a region that made no sums and replaces no rows. */
    public static RegionReceipt withoutSums(
            long regionId,
            String server,
            long rowCount,
            long duplicateRows,
            long bytesStored,
            List<ColumnOutcome> columns,
            List<Reject> rejects,
            StepTimes times) {
        return new RegionReceipt(
                regionId,
                server,
                rowCount,
                duplicateRows,
                0,
                bytesStored,
                columns,
                ColumnSums.NONE,
                ColumnSums.NONE,
                rejects,
                times);
    }
}
