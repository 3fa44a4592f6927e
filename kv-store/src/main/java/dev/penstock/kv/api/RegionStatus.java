package dev.penstock.kv.api;

/**
 * A region as its server sees it.
 *
 * @param rowCount rows in segments and in memory; versions that newer ones hide count too
 * @param storedBytes bytes of its segment files
 * @param memoryBytes bytes of rows not flushed yet
 * @param layers immutable layers that a read may have to merge
 */
public record RegionStatus(
        long regionId,
        long tableId,
        long rowCount,
        long storedBytes,
        long memoryBytes,
        int layers) {}
