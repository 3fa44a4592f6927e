package dev.penstock.kv.storage;

/** One change of what a {@link RegionJournal} knows, always of one region. */
sealed interface JournalRecord {
    long regionId();

    /** A change of what makes up a region without a manifest of its own. */
    record Changed(long regionId, ManifestRecord change) implements JournalRecord {}

    /** From here on the region's own manifest says what makes it up. */
    record Grown(long regionId) implements JournalRecord {}

    /** The region is gone with all that is prepared in it. */
    record Dropped(long regionId) implements JournalRecord {}

    record Prepared(long regionId, PreparedLoad load) implements JournalRecord {}

    /** A prepared load is installed or given up. */
    record Ended(long regionId, String loadId) implements JournalRecord {}
}
