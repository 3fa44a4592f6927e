package dev.penstock.target;

import dev.penstock.reject.Reject;
import dev.penstock.step.StepTimes;
import java.util.List;

/**
 * One region's part of a load, durable but not yet visible.
 *
 * @param rowCount rows that publishing will add
 * @param duplicateRows rows left out by {@link DuplicatePolicy}
 * @param bytesStored bytes of the segment files
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
        List<Reject> rejects,
        StepTimes times) {}
