package dev.penstock.kv.meta;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.UncaughtError;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What servers are told after it has been recorded. One that cannot be told now finds out when it
 * joins, reports or is read, but for regions that are gone and were not closed before: a server
 * drops those by itself only when it starts, so that it is told again while this process runs.
 * Called without the lock of changes. Thread-safe.
 */
final class Orders {
    /** Regions that are remembered for servers that are gone, of all servers together. */
    private static final int MAX_REMEMBERED = 100_000;

    private final MetadataState state;
    private final RegionServiceLocator locator;
    private final SeenServers seen;
    private final InstantSource clock;
    private final Map<String, PenstockException> untold = new ConcurrentHashMap<>();

    // Guarded by this
    private final Map<String, Set<Long>> undropped = new HashMap<>();
    private final Map<String, RetryPause> pauses = new HashMap<>();

    Orders(
            MetadataState state,
            RegionServiceLocator locator,
            SeenServers seen,
            InstantSource clock) {
        this.state = state;
        this.locator = locator;
        this.seen = seen;
        this.clock = clock;
    }

    /** Tells a server something that it will find out by itself if it cannot be told now. */
    boolean tell(ServerDescriptor server, Consumer<RegionService> order) {
        try {
            order.accept(locator.locate(server));
            untold.remove(server.serverId());
            return true;
        } catch (RuntimeException | Error e) {
            // This server may be in this process, and what its order is for is done.
            untold.put(
                    server.serverId(),
                    e instanceof PenstockException known ? known : UncaughtError.handOn(e));
            return false;
        }
    }

    /** Why the latest order to a server could not be told, by server id, unless it could. */
    Map<String, PenstockException> untold() {
        return Map.copyOf(untold);
    }

    /** Has regions removed that no record knows any more, now or later. */
    void drop(List<RegionAssignment> regions) {
        Map<ServerDescriptor, Set<Long>> byServer = new LinkedHashMap<>();
        for (RegionAssignment region : regions) {
            byServer.computeIfAbsent(region.server(), server -> new HashSet<>())
                    .add(region.regionId());
        }
        byServer.forEach(this::drop);
    }

    /** Tells servers again that report and could not be told; to be called every few seconds. */
    void dropAgain() {
        for (ServerDescriptor server : state.servers()) {
            Set<Long> left = due(server);
            if (!left.isEmpty()) {
                drop(server, left);
            }
        }
    }

    private synchronized Set<Long> due(ServerDescriptor server) {
        String id = server.serverId();
        return seen.lately(server) && RetryPause.isOver(pauses.get(id), clock.instant())
                ? new HashSet<>(undropped.getOrDefault(id, new HashSet<>()))
                : new HashSet<>();
    }

    /** Of a server that does not answer nothing more is wanted now: each call would wait. */
    private void drop(ServerDescriptor server, Set<Long> regionIds) {
        Set<Long> left = new HashSet<>(regionIds);
        for (long regionId : regionIds) {
            if (!tell(server, service -> service.dropRegion(regionId))) {
                break;
            }
            left.remove(regionId);
        }
        remember(server.serverId(), regionIds, left);
    }

    private synchronized void remember(String serverId, Set<Long> regionIds, Set<Long> left) {
        Set<Long> remembered = undropped.computeIfAbsent(serverId, id -> new HashSet<>());
        remembered.removeAll(regionIds);
        long room = MAX_REMEMBERED;
        for (Set<Long> others : undropped.values()) {
            room -= others.size();
        }
        left.stream().limit(Math.max(0, room)).forEach(remembered::add);
        if (left.isEmpty()) {
            pauses.remove(serverId);
        } else {
            pauses.compute(serverId, (id, before) -> RetryPause.after(before, clock.instant()));
        }
        if (remembered.isEmpty()) {
            undropped.remove(serverId);
        }
    }
}
