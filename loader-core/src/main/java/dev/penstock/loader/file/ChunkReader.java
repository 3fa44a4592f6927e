package dev.penstock.loader.file;

import dev.penstock.error.PenstockException;
import dev.penstock.parse.RecordBoundary;

import java.nio.channels.FileChannel;

/**
 * Reads leased chunks of files that can be sought. Chunks that are not exact are aligned here, each
 * on its own: a record belongs to the chunk in which its first byte lies, so the reader skips to
 * the byte after the first line end at or after {@code from - 1} and reads on past {@code to} until
 * the last record ends. Owned by one thread.
 */
public final class ChunkReader {
    private static final int EXTENSION_BYTES = 64 << 10;

    private final PositionalReader reader = new PositionalReader();

    /**
     * @param dataStart position of the source's first record
     * @param size bytes of the source
     */
    public void read(
            ChunkLease lease,
            FileChannel channel,
            String name,
            long dataStart,
            long size,
            Chunk chunk) {
        boolean aligned = lease.exact() || lease.from() == dataStart;
        long start = aligned ? lease.from() : lease.from() - 1;
        int wanted = (int) (lease.to() - start);
        byte[] text = chunk.ensure(wanted);
        int length = reader.read(channel, name, start, text, 0, wanted);
        if (length < wanted) {
            throw PenstockException.io(
                    name + " became shorter while it was read: it ends at byte " + (start + length),
                    new java.io.EOFException());
        }
        int from = aligned ? 0 : lineEnd(text, 0, length - 1);
        if (from < 0) {
            chunk.set(lease.chunkId(), lease.source(), 0, 0, lease.from());
            return;
        }
        int to =
                lease.exact() || lease.to() >= size
                        ? length
                        : extend(chunk, channel, name, start, length);
        chunk.set(lease.chunkId(), lease.source(), from, to, start + from);
    }

    /** Reads on until the record that is open at {@code length - 1} has ended. */
    private int extend(Chunk chunk, FileChannel channel, String name, long start, int length) {
        if (length > 0 && chunk.text()[length - 1] == '\n') {
            return length;
        }
        int end = length;
        while (end - length <= RecordBoundary.DEFAULT_MAX_RECORD_BYTES) {
            byte[] text = chunk.ensure((long) end + EXTENSION_BYTES);
            int read = reader.read(channel, name, start + end, text, end, EXTENSION_BYTES);
            int lineEnd = lineEnd(text, end, end + read);
            if (lineEnd >= 0) {
                return lineEnd;
            }
            end += read;
            if (read < EXTENSION_BYTES) {
                return end;
            }
        }
        throw tooLong(name, start + length);
    }

    static PenstockException tooLong(String name, long position) {
        return PenstockException.data(
                name
                        + " has a record around byte "
                        + position
                        + " that is longer than "
                        + RecordBoundary.DEFAULT_MAX_RECORD_BYTES
                        + " bytes. A quote that is never closed, or the wrong --quote, often looks"
                        + " like this.");
    }

    /** Position after the first line feed in {@code text[from, to)}, or -1. */
    private static int lineEnd(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }
}
