package dev.penstock.target;

/** How a load proves, before it is published, that everything arrived. */
public enum Verification {
    /** Not at all. */
    OFF,
    /** Rows are counted. */
    COUNT,
    /**
     * The same, and each column of each region has the checksum that its rows had when they were
     * parsed, as the bytes say that the merge has encoded for its files.
     */
    CHECKSUM,
    /** The same, and the files are read back before they are published. */
    FULL;

    /** Whether sums of columns are made on the way. */
    public boolean sums() {
        return this == CHECKSUM || this == FULL;
    }
}
