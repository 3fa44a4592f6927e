package dev.penstock.loader.file;

import dev.penstock.parse.RecordBoundary;

import java.nio.channels.FileChannel;

/**
 * Cuts one input into chunks from its start to its end, exactly on record borders, quotes and all.
 * The bytes after a chunk's last whole record are carried over to the next chunk. Used under the
 * lock of its {@link ChunkSupply}.
 */
final class SequentialCutter {
    /** Reads on where the last call ended. */
    private interface Source {
        int read(byte[] target, int offset, int length);
    }

    private final Source source;
    private final String name;
    private final RecordBoundary boundary;

    /** Text behind {@link #position} that has been read already, between two of its indexes. */
    private byte[] carry = new byte[0];

    private int carryStart;
    private int carryEnd;
    private long position;

    private SequentialCutter(Source source, String name, RecordBoundary boundary, long position) {
        this.source = source;
        this.name = name;
        this.boundary = boundary;
        this.position = position;
    }

    /** Cuts the text of a stream from {@code dataStart} on. */
    static SequentialCutter of(
            TextStream stream, String name, RecordBoundary boundary, long dataStart) {
        skip(stream, dataStart);
        return new SequentialCutter(stream::read, name, boundary, dataStart);
    }

    /** Cuts a file from {@code dataStart} on. */
    static SequentialCutter of(
            FileChannel channel, String name, RecordBoundary boundary, long dataStart) {
        PositionalReader reader = new PositionalReader();
        long[] next = {dataStart};
        Source source =
                (target, offset, length) -> {
                    int read = reader.read(channel, name, next[0], target, offset, length);
                    next[0] += read;
                    return read;
                };
        return new SequentialCutter(source, name, boundary, dataStart);
    }

    private static void skip(TextStream stream, long bytes) {
        byte[] scratch = new byte[64 << 10];
        long left = bytes;
        while (left > 0) {
            int read = stream.read(scratch, 0, (int) Math.min(left, scratch.length));
            if (read == 0) {
                return;
            }
            left -= read;
        }
    }

    /**
     * Fills {@code chunk} with about {@code bytes} bytes of whole records; false at the end. Where
     * it ends depends on {@link #position} and {@code bytes} alone, however much of the text was
     * read before: a load that is resumed must find the same chunks.
     */
    boolean next(Chunk chunk, int chunkId, int sourceIndex, int bytes) {
        int window = bytes;
        byte[] text = chunk.ensure(window);
        int length = fill(text, 0, window);
        if (length == 0) {
            return false;
        }
        int cut = boundary.last(text, 0, length, length < window);
        while (cut == 0) {
            if (boundary.oversized(0, length)) {
                cut = afterOversized(text, length);
            } else {
                int most = RecordBoundary.DEFAULT_MAX_RECORD_BYTES + bytes;
                window = Math.min(length + Math.max(bytes, length), Math.max(most, length + 1));
                text = chunk.ensure(window);
                length = fill(text, length, window);
                cut = boundary.last(text, 0, length, length < window);
            }
        }
        giveBack(text, cut, length);
        chunk.set(chunkId, sourceIndex, 0, cut, position);
        position += cut;
        return true;
    }

    /** Adds to {@code length} bytes of text until there are {@code wanted}, or less at the end. */
    private int fill(byte[] text, int length, int wanted) {
        int known = Math.min(carryEnd - carryStart, wanted - length);
        System.arraycopy(carry, carryStart, text, length, known);
        carryStart += known;
        int filled = length + known;
        return filled < wanted ? filled + source.read(text, filled, wanted - filled) : filled;
    }

    /**
     * A record longer than any may be, most often because of a quote that never closes: its first
     * line becomes a chunk of its own, which the parser rejects, and reading goes on after it.
     */
    private int afterOversized(byte[] text, int length) {
        int line = boundary.nextLine(text, 0, length, false);
        if (line <= 0) {
            throw ChunkReader.tooLong(name, position);
        }
        return line;
    }

    /** Keeps what was not handed out, before what is still there. */
    private void giveBack(byte[] text, int from, int to) {
        if (carryStart < carryEnd) {
            carryStart -= to - from; // All of it was there, and still is.
            return;
        }
        if (carry.length < to - from) {
            carry = new byte[to - from];
        }
        System.arraycopy(text, from, carry, 0, to - from);
        carryStart = 0;
        carryEnd = to - from;
    }
}
