package dev.penstock.kv.api;

/**
 * A load that is visible.
 *
 * @param epoch readers at this epoch and later see it
 * @param label the user's name for the load, or empty
 * @param rowCount rows that it added
 * @param regionIds regions that hold a part of it; to be read only, since loads of the same regions
 *     share it
 */
public record PublishedLoad(
        String loadId,
        long ordinal,
        long epoch,
        long tableId,
        String label,
        long rowCount,
        long[] regionIds) {
    /** The same with other regions. */
    public PublishedLoad withRegions(long[] newRegionIds) {
        return new PublishedLoad(loadId, ordinal, epoch, tableId, label, rowCount, newRegionIds);
    }
}
