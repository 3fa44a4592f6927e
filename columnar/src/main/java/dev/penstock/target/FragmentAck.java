package dev.penstock.target;

import dev.penstock.batch.ColumnSums;
import dev.penstock.reject.Reject;
import java.util.BitSet;
import java.util.List;

/**
 * The target's answer to one fragment.
 *
 * @param rowsAccepted rows that will be part of the region, or of several ones if a text was spread,
 *     when the load is published (before duplicates are resolved); 0 if the steps are deferred
 * @param rejects records of a raw fragment that did not become rows
 * @param plainColumns columns that turned out to have too many distinct values in this region for a
 *     dictionary: encoding them at the loader is wasted
 * @param parsed sums of the rows of a chunk's text, as the target parsed them; none of any other
 *     fragment
 * @param outcome whether anything was taken
 */
public record FragmentAck(
        int chunkId,
        long regionId,
        long rowsAccepted,
        List<Reject> rejects,
        BitSet plainColumns,
        ColumnSums parsed,
        Outcome outcome) {
    /** What became of a fragment. */
    public enum Outcome {
        TAKEN,
        /**
         * Nothing was taken of a chunk's text, because some of its records are no rows, or those of
         * a region elsewhere, or too many: the loader has to do it.
         */
        DECLINED,
        /** Nor was anything of a text that the server could not read where it is. */
        UNREAD
    }

    /** Of a fragment that the loader has parsed. */
    public FragmentAck(
            int chunkId,
            long regionId,
            long rowsAccepted,
            List<Reject> rejects,
            BitSet plainColumns) {
        this(chunkId, regionId, rowsAccepted, rejects, plainColumns, ColumnSums.NONE, Outcome.TAKEN);
    }

    /** Whether the loader has to do a chunk that it has sent as text. */
    public boolean declined() {
        return outcome != Outcome.TAKEN;
    }

    /** Of a chunk's text of which nothing was taken. */
    public static FragmentAck declining(
            FragmentHeader header, BitSet plainColumns, Outcome outcome) {
        return new FragmentAck(
                header.chunkId(),
                header.regionId(),
                0,
                List.of(),
                plainColumns,
                ColumnSums.NONE,
                outcome);
    }
}
