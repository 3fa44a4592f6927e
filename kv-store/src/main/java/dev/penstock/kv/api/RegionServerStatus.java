package dev.penstock.kv.api;

import java.util.List;

/** What one region server hosts and does. */
public record RegionServerStatus(
        ServerDescriptor server, List<RegionStatus> regions, List<LoadProgress> loads) {
    public RegionServerStatus {
        regions = List.copyOf(regions);
        loads = List.copyOf(loads);
    }
}
