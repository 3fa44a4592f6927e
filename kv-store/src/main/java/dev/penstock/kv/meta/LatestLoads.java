package dev.penstock.kv.meta;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/**
 * What became of loads, of so many at most: with each one more the oldest is forgotten. What is
 * left depends on nothing but the order in which they came, so it is the same after every replay.
 * Guarded by its owner.
 */
final class LatestLoads {
    private final int limit;
    private final SequencedMap<String, Long> epochs = new LinkedHashMap<>();

    LatestLoads(int limit) {
        this.limit = limit;
    }

    void put(String loadId, long epoch) {
        epochs.putLast(loadId, epoch);
        if (epochs.size() > limit) {
            epochs.pollFirstEntry();
        }
    }

    Optional<Long> get(String loadId) {
        return Optional.ofNullable(epochs.get(loadId));
    }

    Set<Map.Entry<String, Long>> oldestFirst() {
        return epochs.entrySet();
    }

    int size() {
        return epochs.size();
    }
}
