package dev.penstock.kv.meta;

/**
 * Where metadata records become durable in one order: a file on the leader's disk, or a replicated
 * log. Called by one thread at a time.
 */
public interface MetadataLog extends AutoCloseable {
    /** Appends one record; it will survive on return. */
    void append(MetadataRecord metadataRecord);

    /** Whether a record that could not be appended may be in the log all the same. */
    boolean isInDoubt();

    @Override
    void close();
}
