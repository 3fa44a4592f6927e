package dev.penstock.loader.file;

/**
 * One chunk to read.
 *
 * @param chunkId number of the chunk, ascending in input order
 * @param source index of the input
 * @param from position of its first byte
 * @param to position after its last byte
 * @param exact whether both positions are borders of records; otherwise the chunk consists of the
 *     records that start within the range
 */
public record ChunkLease(int chunkId, int source, long from, long to, boolean exact) {
    /** The records that begin before a position, which is within the chunk. */
    public ChunkLease before(long position) {
        return new ChunkLease(chunkId, source, from, position, exact);
    }

    /** The others, as a chunk of their own that comes right after. */
    public ChunkLease after(long position) {
        return new ChunkLease(chunkId + 1, source, position, to, exact);
    }

    /** So many of its bytes only. */
    ChunkLease beginning(long bytes) {
        return new ChunkLease(chunkId, source, from, from + bytes, exact);
    }
}
