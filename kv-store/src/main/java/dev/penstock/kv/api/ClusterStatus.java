package dev.penstock.kv.api;

import java.util.List;

/**
 * The whole store at one moment.
 *
 * @param runningLoads loads that have begun and not ended
 */
public record ClusterStatus(
        long epoch,
        List<TableDescriptor> tables,
        List<ServerStatus> servers,
        List<LoadDescriptor> runningLoads) {
    public ClusterStatus {
        tables = List.copyOf(tables);
        servers = List.copyOf(servers);
        runningLoads = List.copyOf(runningLoads);
    }
}
