package dev.penstock.kv.api;

import java.util.List;

/**
 * The whole store at one moment.
 *
 * @param runningLoads loads that have begun and not ended, those included that wait to be resumed
 */
public record ClusterStatus(
        long epoch,
        List<TableDescriptor> tables,
        List<ServerStatus> servers,
        List<RunningLoad> runningLoads) {
    public ClusterStatus {
        tables = List.copyOf(tables);
        servers = List.copyOf(servers);
        runningLoads = List.copyOf(runningLoads);
    }
}
