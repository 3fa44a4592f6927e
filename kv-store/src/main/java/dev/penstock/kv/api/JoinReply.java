package dev.penstock.kv.api;

import java.time.Duration;
import java.util.List;

/**
 * What the leader tells a server that joins or reports that it is alive.
 *
 * @param epoch the latest epoch
 * @param regions the regions the server hosts; it creates those it lacks. When joining it drops all
 *     others
 * @param runningLoads ids of loads that have begun and not ended; what the server keeps of others
 *     is to be installed or discarded
 * @param lease whether the server may answer reads at {@link RegionService#LATEST} by what it knows
 *     after this, for {@link #LEASE} since it asked, unless {@link RegionService#revokeLease} comes
 */
public record JoinReply(
        long epoch, List<RegionDescriptor> regions, List<String> runningLoads, boolean lease) {
    /** Longer than the pause between two reports of a server. */
    public static final Duration LEASE = Duration.ofSeconds(5);

    public JoinReply {
        regions = List.copyOf(regions);
        runningLoads = List.copyOf(runningLoads);
    }
}
