package dev.penstock.kv;

/**
 * Order-independent checksum of a table's visible rows.
 *
 * @param epoch the snapshot that was read
 * @param provenRows stored rows that were compared with the sums that the loads which brought them
 *     had proved; they may since have been replaced or deleted
 * @param columnSums one sum modulo 2^64 per table column
 */
public record TableChecksum(long epoch, long rowCount, long provenRows, long[] columnSums) {}
