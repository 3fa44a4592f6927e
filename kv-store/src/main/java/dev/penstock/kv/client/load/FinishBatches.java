package dev.penstock.kv.client.load;

import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.ServerDescriptor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which regions a server is asked to finish with one call: what is prepared by one call is forced
 * once. Towards the end batches get smaller, so that all callers end at the same time; servers come
 * in turns, so that all are busy from the start.
 */
final class FinishBatches {
    /** So that progress is seen and a call does not take long. */
    static final int MAX_REGIONS = 16;

    /** Batches that every caller should find, if there are enough regions. */
    private static final int CALLS_EACH = 2;

    /** Regions of one server. */
    record Batch(ServerDescriptor server, List<Long> regionIds) {}

    private FinishBatches() {}

    /**
     * @param order regions in the order in which they should be finished
     * @param callers calls under way at a time, of all servers together
     */
    static List<Batch> of(List<RegionAssignment> order, int callers, int maxRegions) {
        Map<String, List<RegionAssignment>> byServer = new LinkedHashMap<>();
        for (RegionAssignment region : order) {
            byServer.computeIfAbsent(region.server().serverId(), id -> new ArrayList<>())
                    .add(region);
        }
        int callersEach = Math.max(1, callers / Math.max(1, byServer.size()));
        List<List<Batch>> queues = new ArrayList<>();
        byServer.values().forEach(regions -> queues.add(cut(regions, callersEach, maxRegions)));
        List<Batch> batches = new ArrayList<>();
        for (int turn = 0; !queues.isEmpty(); turn++) {
            int now = turn;
            queues.removeIf(queue -> queue.size() <= now);
            queues.forEach(queue -> batches.add(queue.get(now)));
        }
        return batches;
    }

    private static List<Batch> cut(List<RegionAssignment> regions, int callers, int maxRegions) {
        List<Batch> batches = new ArrayList<>();
        for (int from = 0; from < regions.size(); ) {
            int left = regions.size() - from;
            int count = Math.clamp(left / (callers * CALLS_EACH), 1, maxRegions);
            List<Long> ids =
                    regions.subList(from, from + count).stream()
                            .map(RegionAssignment::regionId)
                            .toList();
            batches.add(new Batch(regions.get(from).server(), ids));
            from += count;
        }
        return batches;
    }
}
