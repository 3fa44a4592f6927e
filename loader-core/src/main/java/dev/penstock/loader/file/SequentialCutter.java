package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.parse.QuotePlaces;
import dev.penstock.parse.RecordBoundary;

/**
 * Cuts one input into chunks from its start to its end, exactly on record borders, quotes and all.
 * The bytes after a chunk's last whole record are carried over to the next chunk. Used under the
 * lock of its {@link ChunkSupply}.
 */
final class SequentialCutter {
    private static final int LINE_END_BYTES = 2;
    private static final int WINDOW_BYTES = 256 << 10;

    /** What is read before it is looked at, so that it is still in the cache. */
    private static final int STEP_BYTES = 256 << 10;

    /** Reads on where the last call ended. */
    private interface Source {
        int read(byte[] target, int offset, int length);
    }

    private final Source source;
    private final RecordBoundary boundary;

    /** Text behind {@link #position} that has been read already, between two of its indexes. */
    private byte[] carry = new byte[0];

    private int carryStart;
    private int carryEnd;
    private long position;

    private SequentialCutter(Source source, RecordBoundary boundary, long position) {
        this.source = source;
        this.boundary = boundary;
        this.position = position;
    }

    /** Cuts the text of a stream from {@code dataStart} on. */
    static SequentialCutter of(TextStream stream, RecordBoundary boundary, long dataStart) {
        stream.skip(dataStart);
        return new SequentialCutter(stream::read, boundary, dataStart);
    }

    /** Cuts a file from {@code dataStart} on, read by a reader that others may use between. */
    static SequentialCutter of(
            FileText text, PositionalReader reader, RecordBoundary boundary, long dataStart) {
        long[] next = {dataStart};
        Source source =
                (target, offset, length) -> {
                    int read = text.read(reader, next[0], target, offset, length);
                    next[0] += read;
                    return read;
                };
        return new SequentialCutter(source, boundary, dataStart);
    }

    /** Chunks of about {@code bytes} bytes have no more, but for one line longer than a record. */
    static int mostBytes(int bytes) {
        return RecordBoundary.DEFAULT_MAX_RECORD_BYTES + bytes;
    }

    /**
     * Fills {@code chunk} with about {@code bytes} bytes of whole records; false at the end. Where
     * it ends depends on {@link #position} and {@code bytes} alone, however much of the text was
     * read before: a load that is resumed must find the same chunks.
     */
    boolean next(Chunk chunk, int chunkId, int sourceIndex, int bytes) {
        int window = bytes;
        byte[] text = chunk.ensure(window);
        int length = fillAndLook(text, window, chunk.quotes());
        if (length == 0) {
            return false;
        }
        int cut = boundary.last(text, 0, length, length < window);
        while (cut == 0) {
            boolean ended = length < window;
            if (boundary.oversized(0, length)) {
                // Most often because of a quote that never closes: the first line becomes a chunk
                // of its own, which the parser rejects, and reading goes on after it.
                cut = Math.max(0, boundary.nextLine(text, 0, length, ended));
                if (cut == 0 && boundary.oversized(0, length - LINE_END_BYTES)) {
                    long from = position;
                    chunk.quotes().forget();
                    chunk.set(chunkId, sourceIndex, 0, withoutRestOfLine(chunk, length), from);
                    return true;
                }
            }
            if (cut == 0) {
                int most = Math.max(mostBytes(bytes), length + 1);
                window = Math.min(length + Math.max(bytes, length), most);
                chunk.quotes().forget();
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

    /** Reads so many bytes, or less at the end, and has the boundary look at them on the way. */
    private int fillAndLook(byte[] text, int wanted, QuotePlaces quotes) {
        boundary.begin(text, quotes);
        int length = 0;
        int before;
        do {
            before = length;
            length = fill(text, length, Math.min(wanted, length + STEP_BYTES));
            boundary.look(length);
        } while (length < wanted && length == before + STEP_BYTES);
        return length;
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
            filled = fill(window, filled, window.length);
            int next = boundary.nextLine(window, 0, filled, filled < window.length);
            if (next >= 0) {
                int lineEnd = lineEndBytes(window, next);
                byte[] text = chunk.ensure((long) kept + lineEnd);
                System.arraycopy(window, next - lineEnd, text, kept, lineEnd);
                giveBack(window, next, filled);
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
