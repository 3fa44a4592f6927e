package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.error.PenstockException;
import dev.penstock.parse.LineEnds;
import dev.penstock.parse.RecordBoundary;

import org.jspecify.annotations.Nullable;

/**
 * Reads leased chunks of files that can be sought, in parts of whole records that are small enough
 * for the second-level cache: a part is converted before it leaves it, and the next one takes its
 * place. A part ends with the last line end that has been read; what follows it is carried over.
 * Exact chunks are those of dialects in which a line end need not end a record: they are one part.
 *
 * <p>Chunks that are not exact are aligned here, each on its own: a record belongs to the chunk in
 * which its first byte lies, so the reader skips to the byte after the first line end at or after
 * {@code from - 1} and reads on past {@code to} until the last record ends. Owned by one thread.
 */
public final class ChunkReader {
    static final int PART_BYTES = 256 << 10;

    private static final int EXTENSION_BYTES = 64 << 10;

    private final PositionalReader reader = new PositionalReader();

    // The chunk at hand: its file, and what has not been read of it.
    private @Nullable FileText file;
    private long next;
    private long end;
    private boolean endsWithRecord;

    // Bytes of the chunk's array that are filled.
    private int filled;

    /**
     * Begins a chunk and reads its first part.
     *
     * @param dataStart position of the source's first record
     * @param size bytes of the source
     */
    public void read(ChunkLease lease, FileText text, long dataStart, long size, Chunk chunk) {
        boolean aligned = lease.exact() || lease.from() == dataStart;
        file = text;
        next = aligned ? lease.from() : lease.from() - 1;
        end = lease.to();
        endsWithRecord = lease.exact() || lease.to() >= size;
        filled = 0;
        chunk.begin(lease.chunkId(), lease.source(), this, lease.from());
        if (lease.exact()) {
            readRest(chunk);
        } else if (aligned || skipOpenRecord(chunk)) {
            readPart(chunk);
        }
    }

    /** Whether the chunk has bytes that are not in its array. */
    boolean hasMore() {
        return next < end;
    }

    /** Bytes of the chunk behind its present part. */
    long bytesLeft(Chunk chunk) {
        return Math.max(0, end - next) + filled - chunk.to();
    }

    /** Carries over what is behind the last part and reads the next one. */
    void readNext(Chunk chunk) {
        int kept = filled - chunk.to();
        System.arraycopy(chunk.text(), chunk.to(), chunk.text(), 0, kept);
        filled = kept;
        chunk.setPart(0, 0, next - kept);
        readPart(chunk);
    }

    /** Reads all that is left, behind what the array holds. */
    void readRest(Chunk chunk) {
        fill(chunk, end - next);
        readPart(chunk);
    }

    /** Reads to the first line end of the chunk; false if no record begins in it. */
    private boolean skipOpenRecord(Chunk chunk) {
        while (next < end) {
            filled = 0;
            fill(chunk, PART_BYTES);
            int from = LineEnds.first(chunk.text(), 0, filled);
            long position = next - filled + from;
            if (from >= 0 && position < end) {
                chunk.setPart(from, from, position);
                return true;
            }
        }
        return false;
    }

    /** Extends the part to the last line end there is, or reads on to the next one. */
    private void readPart(Chunk chunk) {
        int from = chunk.from();
        int seen = chunk.to();
        int to = Math.max(seen, LineEnds.last(chunk.text(), seen, filled));
        while (next < end && to <= seen) {
            int before = filled;
            fill(chunk, Math.max(PART_BYTES, before - from));
            to = Math.max(to, LineEnds.last(chunk.text(), before, filled));
        }
        if (next >= end) {
            to = endsWithRecord ? filled : extend(chunk);
        }
        chunk.setPart(from, to, chunk.position());
    }

    /** Reads at most so many bytes more of the chunk, fewer only at its end. */
    private void fill(Chunk chunk, long most) {
        int wanted = (int) Math.min(most, end - next);
        byte[] text = chunk.ensure((long) filled + wanted);
        int read = file().read(reader, next, text, filled, wanted);
        next += read;
        filled += read;
    }

    /**
     * Reads on until the record that is open at the end of the chunk has ended, or is too long to
     * be one; then the parser rejects it, and the chunks that begin within its rest skip that.
     */
    private int extend(Chunk chunk) {
        if (filled > 0 && chunk.text()[filled - 1] == '\n') {
            return filled;
        }
        int length = filled;
        while (filled - length <= RecordBoundary.DEFAULT_MAX_RECORD_BYTES) {
            byte[] text = chunk.ensure((long) filled + EXTENSION_BYTES);
            int read = file().read(reader, next, text, filled, EXTENSION_BYTES);
            int lineEnd = LineEnds.first(text, filled, filled + read);
            if (lineEnd >= 0) {
                return lineEnd;
            }
            next += read;
            filled += read;
            if (read < EXTENSION_BYTES) {
                return filled;
            }
        }
        return filled;
    }

    private FileText file() {
        FileText open = file;
        if (open == null) {
            throw PenstockException.internal("no chunk has been begun");
        }
        return open;
    }
}
