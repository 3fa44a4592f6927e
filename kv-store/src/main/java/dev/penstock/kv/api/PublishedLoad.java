package dev.penstock.kv.api;

import java.util.List;

/**
 * A load that is visible.
 *
 * @param epoch readers at this epoch and later see it
 * @param label the user's name for the load, or empty
 * @param rowCount rows that it added
 * @param regionIds regions that hold a part of it
 */
public record PublishedLoad(
        String loadId,
        long ordinal,
        long epoch,
        long tableId,
        String label,
        long rowCount,
        List<Long> regionIds) {
    public PublishedLoad {
        regionIds = List.copyOf(regionIds);
    }
}
