package dev.penstock.kv.meta;

import java.util.List;
import java.util.function.Supplier;

/**
 * Where metadata records become durable in one order: a file on the leader's disk, or a replicated
 * log. Called by one thread at a time.
 */
public interface MetadataLog extends AutoCloseable {
    /** Appends one record; it will survive on return. */
    void append(MetadataRecord metadataRecord);

    /**
     * After a record has been applied: writes the log anew if it has become long. If that fails the
     * long log goes on.
     *
     * @param snapshot what replaces all records up to now
     */
    void shorten(Supplier<List<MetadataRecord>> snapshot);

    /** Whether a record that could not be appended may be in the log all the same. */
    boolean isInDoubt();

    @Override
    void close();
}
