package dev.penstock.kv.meta;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionServerStatus;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.ServerStatus;

import java.util.Collection;
import java.util.List;

/** What the leader tells of the whole store: servers as they answer now, loads as heard of. */
final class Overview {
    private final MetadataState state;
    private final Loaders loaders;
    private final RegionServiceLocator locator;

    Overview(MetadataState state, Loaders loaders, RegionServiceLocator locator) {
        this.state = state;
        this.loaders = loaders;
        this.locator = locator;
    }

    ClusterStatus status() {
        return new ClusterStatus(
                state.epoch(),
                state.tables(),
                state.servers().stream().map(this::serverStatus).toList(),
                running(state.runningLoads()));
    }

    private ServerStatus serverStatus(ServerDescriptor server) {
        int assigned = state.regionsOn(server.serverId()).size();
        try {
            RegionServerStatus status = locator.locate(server).status();
            return new ServerStatus(server, true, assigned, status.regions(), status.loads());
        } catch (PenstockException e) {
            return new ServerStatus(server, false, assigned, List.of(), List.of());
        }
    }

    List<RunningLoad> running(Collection<LoadDescriptor> loads) {
        return loads.stream()
                .map(load ->
                        new RunningLoad(
                                load, loaders.isWaiting(load), loaders.lastHeard(load.loadId())))
                .toList();
    }
}
