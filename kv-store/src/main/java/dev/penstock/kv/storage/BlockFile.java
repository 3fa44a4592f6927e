package dev.penstock.kv.storage;

import java.lang.foreign.MemorySegment;

/**
 * A file of whole blocks for this process only: read and written at any place, past the page cache
 * where the file system can, and never forced. Thread-safe for pieces that do not overlap.
 */
public interface BlockFile extends AutoCloseable {
    /** Positions, lengths and addresses of memory are multiples of this. */
    int BLOCK_BYTES = 4096;

    /** The next multiple of {@link #BLOCK_BYTES}. */
    static int wholeBlocks(int bytes) {
        return Math.toIntExact((bytes + (BLOCK_BYTES - 1L)) & -BLOCK_BYTES);
    }

    void write(long position, MemorySegment blocks);

    /** Fills the target. */
    void read(long position, MemorySegment target);

    /** Idempotent. */
    @Override
    void close();
}
