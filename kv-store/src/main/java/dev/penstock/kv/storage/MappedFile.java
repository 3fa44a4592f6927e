package dev.penstock.kv.storage;

import java.lang.foreign.MemorySegment;

/**
 * A file's contents as memory that stays valid until it is closed, whatever becomes of the name.
 */
public interface MappedFile extends AutoCloseable {
    MemorySegment bytes();

    /** Idempotent; nobody may be reading. */
    @Override
    void close();
}
