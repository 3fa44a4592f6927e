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
    private static final int LINE_END_BYTES = 2;
    private static final int WINDOW_BYTES = 256 << 10;

    /** Reads on where the last call ended. */
    private interface Source {
        int read(byte[] target, int offset, int length);
    }

    private final Source source;
    private final RecordBoundary boundary;
    private byte[] carry = new byte[0];
    private int carryLength;
    private long position;
    private boolean ended;

    private SequentialCutter(Source source, RecordBoundary boundary, long position) {
        this.source = source;
        this.boundary = boundary;
        this.position = position;
    }

    /** Cuts the text of a stream from {@code dataStart} on. */
    static SequentialCutter of(TextStream stream, RecordBoundary boundary, long dataStart) {
        skip(stream, dataStart);
        return new SequentialCutter(stream::read, boundary, dataStart);
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
        return new SequentialCutter(source, boundary, dataStart);
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
            if (cut == 0 && boundary.oversized(0, length)) {
                // Most often because of a quote that never closes: the first line becomes a chunk
                // of its own, which the parser rejects, and reading goes on after it.
                cut = Math.max(0, boundary.nextLine(text, 0, length, ended));
                if (cut == 0 && boundary.oversized(0, length - LINE_END_BYTES)) {
                    long from = position;
                    chunk.set(chunkId, sourceIndex, 0, withoutRestOfLine(chunk, length), from);
                    return true;
                }
            }
            if (cut == 0) {
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
     * Reads on to the end of a line that is longer than any record may be, and goes on behind it.
     * Of the line only what is in the chunk is kept, and its end, for lines to be counted.
     *
     * @return bytes of the chunk
     */
    private int withoutRestOfLine(Chunk chunk, int length) {
        int kept = length - (chunk.text()[length - 1] == '\r' ? 1 : 0);
        byte[] window = new byte[WINDOW_BYTES];
        int filled = length - kept;
        window[0] = '\r';
        position += kept;
        while (true) {
            if (!ended) {
                int read = source.read(window, filled, window.length - filled);
                ended = read < window.length - filled;
                filled += read;
            }
            int next = boundary.nextLine(window, 0, filled, ended);
            if (next >= 0) {
                int lineEnd = lineEndBytes(window, next);
                byte[] text = chunk.ensure((long) kept + lineEnd);
                System.arraycopy(window, next - lineEnd, text, kept, lineEnd);
                keep(window, next, filled);
                position += next;
                return kept + lineEnd;
            }
            // A return that may belong to a line feed stays.
            int open = window[filled - 1] == '\r' ? 1 : 0;
            position += filled - open;
            window[0] = window[filled - 1];
            filled = open;
        }
    }

    private static int lineEndBytes(byte[] text, int end) {
        int bytes = end > 0 && text[end - 1] == '\n' ? 1 : 0;
        return end > bytes && text[end - bytes - 1] == '\r' ? bytes + 1 : bytes;
    }

    /** Position in the input of what has not been handed out. */
    long position() {
        return position;
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
