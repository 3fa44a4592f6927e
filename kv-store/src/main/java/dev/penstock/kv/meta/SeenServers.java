package dev.penstock.kv.meta;

import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.ServerDescriptor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** When servers reported last, and which of them get new regions. Thread-safe. */
final class SeenServers {
    /** A server that has not reported for so long gets no new regions while others do. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** A server that has missed a few reports is most likely gone, and would be waited for. */
    private static final Duration LATELY = Duration.ofSeconds(10);

    private final MetadataState state;
    private final InstantSource clock;
    private final Map<String, Instant> lastSeen = new ConcurrentHashMap<>();

    SeenServers(MetadataState state, InstantSource clock) {
        this.state = state;
        this.clock = clock;
    }

    void see(String serverId) {
        lastSeen.put(serverId, clock.instant());
    }

    /** Whether a server has reported lately. */
    boolean lately(ServerDescriptor server) {
        return seen(server).isAfter(clock.instant().minus(LATELY));
    }

    /**
     * For new regions.
     *
     * @param tableId whose regions are to be spread, or -1
     */
    Placement placement(long tableId) {
        Instant limit = clock.instant().minus(SILENCE);
        List<ServerDescriptor> all =
                state.servers().stream().filter(s -> lastSeen.containsKey(s.serverId())).toList();
        List<ServerDescriptor> heard = all.stream().filter(s -> seen(s).isAfter(limit)).toList();
        Placement placement = new Placement(heard.isEmpty() ? all : heard);
        for (ServerDescriptor server : state.servers()) {
            for (RegionDescriptor region : state.regionsOn(server.serverId())) {
                placement.count(server.serverId(), region.tableId() == tableId);
            }
        }
        return placement;
    }

    private Instant seen(ServerDescriptor server) {
        return lastSeen.getOrDefault(server.serverId(), Instant.MIN);
    }
}
