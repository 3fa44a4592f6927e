package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteSink;

import java.nio.file.Path;

/** A file open for appending. Owned by one thread at a time. */
public interface StorageFile extends ByteSink, AutoCloseable {
    /** Makes everything appended so far durable. */
    void force();

    /**
     * Fills so many bytes after the position with zeros, over which is appended then: a force of
     * bytes that the file has already need not change its length, which costs the file system a
     * second write. The zeros are no part of what was appended, but stay in the file. Where it
     * cannot be done nothing happens.
     */
    void reserve(int bytes);

    /** Cuts off everything after a position that {@link #position} has returned. */
    void cutBack(long position);

    /** The file has been given another name, by which it may be opened again. */
    void renamed(Path path);

    /** Closes without forcing; idempotent. */
    @Override
    void close();
}
