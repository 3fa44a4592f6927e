package dev.penstock.kv.api;

/**
 * One region's part of a running load, or all that a server has of one that waits to be resumed.
 *
 * @param regionId {@link #ALL_REGIONS} of a load that a server has only in its log
 * @param stagedBytes what has come and is not merged
 * @param prepared whether it is merged and durable, only waiting to be published
 */
public record LoadProgress(
        String loadId,
        long regionId,
        long fragments,
        long rowCount,
        long stagedBytes,
        boolean prepared) {
    /** Stands for all regions of a load that a server has only the log of. */
    public static final long ALL_REGIONS = -1;
}
