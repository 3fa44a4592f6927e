package dev.penstock.loader.file;

import dev.penstock.parse.RecordBoundary;

import java.nio.channels.FileChannel;
import java.util.Arrays;

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
    private byte[] carry = new byte[0];
    private int carryLength;
    private long position;
    private boolean ended;

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

    /** Fills {@code chunk} with about {@code bytes} bytes of whole records; false at the end. */
    boolean next(Chunk chunk, int chunkId, int sourceIndex, int bytes) {
        byte[] text = chunk.ensure(Math.max(bytes, carryLength));
        System.arraycopy(carry, 0, text, 0, carryLength);
        int length = carryLength;
        int wanted = Math.max(bytes, carryLength);
        int cut = 0;
        while (cut == 0) {
            if (!ended && length < wanted) {
                int read = source.read(text, length, wanted - length);
                ended = read < wanted - length;
                length += read;
            }
            if (length == 0) {
                return false;
            }
            cut = boundary.last(text, 0, length, ended);
            if (cut == 0) {
                if (boundary.oversized(0, length)) {
                    cut = afterOversized(text, length);
                    continue;
                }
                int most = RecordBoundary.DEFAULT_MAX_RECORD_BYTES + bytes;
                wanted = Math.min(length + Math.max(bytes, length), Math.max(most, length + 1));
                text = chunk.ensure(wanted);
            }
        }
        keep(text, cut, length);
        chunk.set(chunkId, sourceIndex, 0, cut, position);
        position += cut;
        return true;
    }

    /**
     * A record longer than any may be, most often because of a quote that never closes: its first
     * line becomes a chunk of its own, which the parser rejects, and reading goes on after it.
     */
    private int afterOversized(byte[] text, int length) {
        int line = boundary.nextLine(text, 0, length, ended);
        if (line <= 0) {
            throw ChunkReader.tooLong(name, position);
        }
        return line;
    }

    private void keep(byte[] text, int from, int to) {
        carryLength = to - from;
        if (carry.length < carryLength) {
            carry = Arrays.copyOfRange(text, from, to);
        } else {
            System.arraycopy(text, from, carry, 0, carryLength);
        }
    }
}
