package dev.penstock.kv.api;

/**
 * Order-independent checksum of a region's visible rows; sums of regions add up to the table's.
 *
 * @param provenRows stored rows that were compared with the sums that the loads which brought them
 *     had proved; they may since have been replaced or deleted
 * @param columnSums one sum modulo 2^64 per table column
 */
public record RegionChecksum(long regionId, long rowCount, long provenRows, long[] columnSums) {}
