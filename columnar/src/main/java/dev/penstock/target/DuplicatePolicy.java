package dev.penstock.target;

/** What happens to rows whose key exists already, in the input or in the table. */
public enum DuplicatePolicy {
    /** The load fails and names the key. */
    ERROR,
    /** The first in input order stays; a stored row comes before all input. */
    KEEP_FIRST,
    /** The last in input order stays, over a stored row too. */
    KEEP_LAST,
    /** As {@link #KEEP_LAST}: the input replaces what is stored. */
    REPLACE;

    /** Whether what becomes of a row depends on the rows that are stored. */
    public boolean comparesStored() {
        return this == ERROR || this == KEEP_FIRST;
    }
}
