package dev.penstock.kv;

/**
 * Order-independent checksum of a table's visible rows.
 *
 * @param epoch the snapshot that was read
 * @param columnSums one sum modulo 2^64 per table column
 */
public record TableChecksum(long epoch, long rowCount, long[] columnSums) {}
