package dev.penstock.kv.api;

/**
 * One region's part of a running load.
 *
 * @param prepared whether it is merged and durable, only waiting to be published
 */
public record LoadProgress(
        String loadId,
        long regionId,
        long fragments,
        long rowCount,
        long stagedBytes,
        boolean prepared) {}
