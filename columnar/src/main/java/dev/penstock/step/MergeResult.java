package dev.penstock.step;

import dev.penstock.batch.ColumnSums;
import dev.penstock.target.ColumnOutcome;

import java.util.List;

/**
 * What a merge did.
 *
 * @param rows rows written
 * @param duplicatesDropped rows left out because another row has their key
 * @param deletedDropped rows left out because they were marked deleted
 * @param bytes bytes of all segments written
 * @param rejectedKeys encoded keys of rows left out as rejects, each once, ascending; one more at
 *     most than a region may name ({@link dev.penstock.reject.DuplicateKey})
 * @param columns how each column was stored
 * @param stored sums of the rows written, as their encoded bytes say; none unless the limits ask
 * @param dropped sums of the rows of {@code duplicatesDropped}, likewise
 * @param times CPU time: MERGE and WRITE
 */
public record MergeResult(
        long rows,
        long duplicatesDropped,
        long deletedDropped,
        long bytes,
        List<byte[]> rejectedKeys,
        List<ColumnOutcome> columns,
        ColumnSums stored,
        ColumnSums dropped,
        StepTimes times) {
    public MergeResult {
        rejectedKeys = List.copyOf(rejectedKeys);
        columns = List.copyOf(columns);
    }
}
