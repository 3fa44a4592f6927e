package dev.penstock.target;

import dev.penstock.batch.ColumnSums;
import dev.penstock.reject.Reject;
import java.util.BitSet;
import java.util.List;

/**
 * The target's answer to one fragment.
 *
 * @param rowsAccepted rows that will be part of the region when the load is published (before
 *     duplicates are resolved); 0 if the steps are deferred
 * @param rejects records of a raw fragment that did not become rows
 * @param plainColumns columns that turned out to have too many distinct values in this region for a
 *     dictionary: encoding them at the loader is wasted
 * @param parsed sums of the rows of a chunk's text, as the target parsed them; none of any other
 *     fragment
 * @param declined whether nothing was taken of a chunk's text, because some of its records are no
 *     rows, or those of another region: the loader has to do it
 */
public record FragmentAck(
        int chunkId,
        long regionId,
        long rowsAccepted,
        List<Reject> rejects,
        BitSet plainColumns,
        ColumnSums parsed,
        boolean declined) {

    /** Of a fragment that the loader has parsed. */
    public FragmentAck(
            int chunkId,
            long regionId,
            long rowsAccepted,
            List<Reject> rejects,
            BitSet plainColumns) {
        this(chunkId, regionId, rowsAccepted, rejects, plainColumns, ColumnSums.NONE, false);
    }

    /** Of a chunk's text of which nothing was taken. */
    public static FragmentAck declining(FragmentHeader header, BitSet plainColumns) {
        return new FragmentAck(
                header.chunkId(),
                header.regionId(),
                0,
                List.of(),
                plainColumns,
                ColumnSums.NONE,
                true);
    }
}
