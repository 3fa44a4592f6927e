package dev.penstock.kv.api;

import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate;

/**
 * A scan of one region in key order.
 *
 * @param epoch loads published after this epoch are not seen
 * @param range keys to read; what lies outside the region is ignored
 * @param projection indexes of table columns, in the order of the result's columns; may be empty
 * @param predicate condition on rows; its column indexes are indexes into the table's columns
 * @param limit most rows to return, {@link #NO_LIMIT} for all
 */
public record ScanRequest(
        long regionId,
        long epoch,
        KeyRange range,
        int[] projection,
        Predicate predicate,
        long limit) {
    public static final long NO_LIMIT = Long.MAX_VALUE;
}
