package dev.penstock.target;

import dev.penstock.batch.ColumnSums;
import dev.penstock.step.FragmentForm;

/**
 * What travels before a fragment's payload. A target takes each (load, chunk, region) once and
 * acknowledges repetitions without storing them again.
 *
 * @param chunkId number of the chunk in the plan; also the order of duplicates
 * @param regionId where the rows belong
 * @param form which steps have been done
 * @param rowCount rows, or records if raw
 * @param sums of the rows as they were parsed; none if raw, or if the load does not ask for them
 */
public record FragmentHeader(
        int chunkId, long regionId, FragmentForm form, int rowCount, ColumnSums sums) {

    /** A header without sums. */
    public FragmentHeader(int chunkId, long regionId, FragmentForm form, int rowCount) {
        this(chunkId, regionId, form, rowCount, ColumnSums.NONE);
    }
}
