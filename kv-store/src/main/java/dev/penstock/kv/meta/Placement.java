package dev.penstock.kv.meta;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ServerDescriptor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses servers for new regions: always the one with the fewest regions of the table, then the
 * fewest of all, then the one that joined first. For the parts of a pre-split that comes to round
 * robin. Made for one change; not thread-safe.
 */
final class Placement {
    private final List<ServerDescriptor> candidates;
    private final Map<String, Integer> ofTable = new HashMap<>();
    private final Map<String, Integer> ofAll = new HashMap<>();

    Placement(List<ServerDescriptor> candidates) {
        if (candidates.isEmpty()) {
            throw new PenstockException(
                    ErrorCategory.RETRY, "no region server has joined; start one and try again");
        }
        this.candidates = candidates;
    }

    /** Counts a region that stays where it is. */
    void count(String serverId, boolean sameTable) {
        ofAll.merge(serverId, 1, Integer::sum);
        if (sameTable) {
            ofTable.merge(serverId, 1, Integer::sum);
        }
    }

    /** Takes a region of the table, counted before, out of the count: it is about to go. */
    void release(String serverId) {
        ofAll.merge(serverId, -1, Integer::sum);
        ofTable.merge(serverId, -1, Integer::sum);
    }

    ServerDescriptor next() {
        ServerDescriptor best = candidates.getFirst();
        for (ServerDescriptor candidate : candidates) {
            if (load(candidate) < load(best)) {
                best = candidate;
            }
        }
        count(best.serverId(), true);
        return best;
    }

    private long load(ServerDescriptor server) {
        return ((long) ofTable.getOrDefault(server.serverId(), 0) << 32)
                + ofAll.getOrDefault(server.serverId(), 0);
    }
}
