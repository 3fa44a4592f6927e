package dev.penstock.target;

import dev.penstock.key.KeyRange;

/**
 * One region as a loader sees it.
 *
 * @param regionId unique in the store, never used again
 * @param range the keys it holds
 * @param server name of the server that hosts it, for reports
 */
public record RegionInfo(long regionId, KeyRange range, String server) {}
