package dev.penstock.kv.api;

import dev.penstock.error.PenstockException;

/**
 * The regions that a server hosts, and what it has to have installed there. So a server that starts
 * need not go through all loads that there have ever been.
 *
 * @param regionIds to be read only, as the other array
 * @param latestEpochs by region: epoch of the latest load that was published into it, 0 if none was
 * @param epoch the latest one of the store when that was so
 */
public record HostedRegions(long[] regionIds, long[] latestEpochs, long epoch) {
    public HostedRegions {
        if (regionIds.length != latestEpochs.length) {
            throw PenstockException.corrupt(
                    regionIds.length + " regions with epochs of " + latestEpochs.length);
        }
    }
}
