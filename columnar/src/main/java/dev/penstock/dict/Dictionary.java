package dev.penstock.dict;

/**
 * The distinct values of a column in ascending order; a value's code is its index, so codes order
 * as values do. Immutable.
 */
public sealed interface Dictionary permits LongDictionary, BytesDictionary {
    /** Most entries of a dictionary. Beyond it a code saves little over the packed value. */
    int MAX_ENTRIES = 4096;

    /** Most bytes of byte strings in a dictionary. */
    int MAX_BYTES = 1 << 20;

    int size();
}
