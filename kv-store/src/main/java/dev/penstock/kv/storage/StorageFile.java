package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteSink;

/** A file open for appending. Owned by one thread at a time. */
public interface StorageFile extends ByteSink, AutoCloseable {
    /** Makes everything appended so far durable. */
    void force();

    /** Cuts off everything after a position that {@link #position} has returned. */
    void cutBack(long position);

    /** Closes without forcing; idempotent. */
    @Override
    void close();
}
