package dev.penstock.kv.api;

import java.time.Duration;
import java.util.List;

/**
 * What the leader tells a server that reports that it is alive. It comes every few seconds, so it
 * says nothing that grows with the regions of the server.
 *
 * @param epoch the latest epoch
 * @param runningLoads ids of loads that have begun and not ended; what the server keeps of others
 *     is to be installed or discarded
 * @param lease whether the server may answer reads at {@link RegionService#LATEST} by what it knows
 *     after this, for {@link #LEASE} since it asked, unless {@link RegionService#revokeLease} comes
 */
public record ReportReply(long epoch, List<String> runningLoads, boolean lease) {
    /** Longer than the pause between two reports of a server. */
    public static final Duration LEASE = Duration.ofSeconds(5);

    public ReportReply {
        runningLoads = List.copyOf(runningLoads);
    }
}
