package dev.penstock.target;

/**
 * How one column of one region was stored.
 *
 * @param encoding {@code dictionary}, {@code packed}, {@code plain}, {@code tokens} or {@code
 *     compressed}
 * @param distinct distinct values if the column has a dictionary, else -1
 * @param bytes stored bytes of the column in this region, dictionary included
 */
public record ColumnOutcome(String column, String encoding, long distinct, long bytes) {}
