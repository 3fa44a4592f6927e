package dev.penstock.kv.api;

import java.util.List;

/**
 * A region server as the leader sees it.
 *
 * @param reachable whether it answered just now; if not, the lists are empty
 * @param assignedRegions regions that it is to host
 */
public record ServerStatus(
        ServerDescriptor server,
        boolean reachable,
        int assignedRegions,
        List<RegionStatus> regions,
        List<LoadProgress> loads) {
    public ServerStatus {
        regions = List.copyOf(regions);
        loads = List.copyOf(loads);
    }
}
