package dev.penstock.segment;

import dev.penstock.predicate.Literal;

import org.jspecify.annotations.Nullable;

/**
 * What a segment knows of one of its columns.
 *
 * @param encoding how it is stored
 * @param nullCount rows that are NULL
 * @param distinct entries of the dictionary (at least the distinct values of the rows), or -1 if
 *     the column has none
 * @param overflowed whether a dictionary was tried and given up for too many distinct values
 * @param complete whether the writer was asked to encode the column and did what was worth it
 * @param bytes stored bytes, dictionary included
 * @param min no value is smaller; absent if all are NULL. Exact but for byte strings without a
 *     dictionary, of which eight bytes are known
 * @param max no value is greater; absent if all are NULL or eight bytes do not tell
 * @param maxLength length in bytes of the longest byte string; 0 for {@code LONG} columns
 */
public record ColumnStatistics(
        ColumnEncoding encoding,
        long nullCount,
        long distinct,
        boolean overflowed,
        boolean complete,
        long bytes,
        @Nullable Literal min,
        @Nullable Literal max,
        int maxLength) {}
