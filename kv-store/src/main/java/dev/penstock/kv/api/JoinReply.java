package dev.penstock.kv.api;

/**
 * What the leader tells a server that joins.
 *
 * @param regions the regions that the server hosts; it drops all others
 * @param report what it tells the servers that are there, too
 */
public record JoinReply(HostedRegions regions, ReportReply report) {
    /** Of the regions that the server hosts; to be read only. */
    public long[] regionIds() {
        return regions.regionIds();
    }
}
