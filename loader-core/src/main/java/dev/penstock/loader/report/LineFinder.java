package dev.penstock.loader.report;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.dialect.Dialect;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.TextStream;
import dev.penstock.reject.Reject;

import org.jspecify.annotations.Nullable;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Works out on which physical line a rejected record starts, only when somebody asks: files are
 * read again from their start, counting line ends. One file is open at a time, since there may be
 * thousands: asked in input order, each byte is read once; who goes back, to an earlier position or
 * another file, has that file read again from its start, so nobody may do so often. Pipes cannot be
 * read again, so their lines are counted chunk by chunk as they pass ({@link #addPipeChunk}), and
 * rejects from them carry the line within their chunk. Thread-safe for adding; asked by one thread.
 */
public final class LineFinder implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;
    private static final long LINE_FEEDS = 0x0A0A0A0A0A0A0A0AL;
    private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;

    /** Lines of a pipe's chunk. */
    private record PipeChunk(int source, long lines) {}

    private final Inputs inputs;
    private final boolean anyNewline;
    private final long[] linesBeforeData;
    private final NavigableMap<Integer, PipeChunk> pipeChunks = new TreeMap<>();

    /** What {@link #pipeLine} has added up: the lines of an input's chunks before one. */
    private int countedSource = -1;

    private int countedChunk;
    private long countedLines;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    /** In the file that was asked for last. */
    private @Nullable Cursor cursor;

    private static final class Cursor {
        private final int source;
        private final TextStream stream;
        private long position;
        private long lines;
        private byte last;

        Cursor(int source, TextStream stream) {
            this.source = source;
            this.stream = stream;
        }
    }

    /**
     * @param linesBeforeData for each input the lines of its header
     */
    public LineFinder(Inputs inputs, Dialect dialect, long[] linesBeforeData) {
        this.inputs = inputs;
        this.anyNewline = dialect.newline() == Dialect.Newline.ANY;
        this.linesBeforeData = linesBeforeData.clone();
    }

    /** Whether lines of this input must be counted as they pass. */
    public boolean isPipe(int source) {
        return !inputs.file(source).reopenable();
    }

    /** Says how many lines a chunk of a pipe has. */
    public synchronized void addPipeChunk(int chunkId, int source, long lines) {
        pipeChunks.put(chunkId, new PipeChunk(source, lines));
        countedSource = -1;
    }

    /** Line ends in {@code text[from, to)}. */
    public long countLines(byte[] text, int from, int to) {
        return countLines(text, from, to, (byte) 0);
    }

    /** Line ends in the beginning of an input. */
    public static long countLines(Dialect dialect, byte[] text, int to) {
        return countLines(text, 0, to, (byte) 0, dialect.newline() == Dialect.Newline.ANY);
    }

    private long countLines(byte[] text, int from, int to, byte before) {
        return countLines(text, from, to, before, anyNewline);
    }

    private static long countLines(byte[] text, int from, int to, byte before, boolean anyNewline) {
        if (!anyNewline) {
            return countLineFeeds(text, from, to);
        }
        long lines = 0;
        byte last = before;
        for (int i = from; i < to; i++) {
            byte b = text[i];
            if (b == '\r' || b == '\n' && last != '\r') {
                lines++;
            }
            last = b;
        }
        return lines;
    }

    /** Eight bytes a step: a byte is a line feed where xor leaves zero, found without carries. */
    static long countLineFeeds(byte[] text, int from, int to) {
        long lines = 0;
        int at = from;
        for (; at + 8 <= to; at += 8) {
            long different = ByteAccess.getLong(text, at) ^ LINE_FEEDS;
            long nonZero = ((different & LOW_BITS) + LOW_BITS) | different | LOW_BITS;
            lines += Long.bitCount(~nonZero);
        }
        for (; at < to; at++) {
            lines += text[at] == '\n' ? 1 : 0;
        }
        return lines;
    }

    /** The 1-based line of a reject, or {@link Reject#LINE_UNKNOWN}. */
    public long lineOf(Reject reject, int chunkId) {
        return lineOf(reject, chunkId, () -> {});
    }

    /**
     * The same.
     *
     * @param goOn called at once, and now and then while a file is read; throws if that is not
     *     wanted any more
     */
    public long lineOf(Reject reject, int chunkId, Runnable goOn) {
        int source = reject.sourceIndex();
        if (source < 0 || source >= inputs.count()) {
            return Reject.LINE_UNKNOWN;
        }
        goOn.run();
        return isPipe(source)
                ? pipeLine(reject, chunkId)
                : fileLine(source, reject.bytePosition(), goOn);
    }

    /** The 1-based line at a position of an input, or {@link Reject#LINE_UNKNOWN} for a pipe. */
    public long lineAt(int source, long position) {
        return isPipe(source) ? Reject.LINE_UNKNOWN : fileLine(source, position, () -> {});
    }

    private synchronized long pipeLine(Reject reject, int chunkId) {
        if (reject.line() == Reject.LINE_UNKNOWN) {
            return Reject.LINE_UNKNOWN;
        }
        int source = reject.sourceIndex();
        if (countedSource != source || countedChunk > chunkId) {
            countedSource = source;
            countedChunk = Integer.MIN_VALUE;
            countedLines = linesBeforeData[source];
        }
        for (PipeChunk chunk : pipeChunks.subMap(countedChunk, chunkId).values()) {
            countedLines += chunk.source() == source ? chunk.lines() : 0;
        }
        countedChunk = chunkId;
        return countedLines + reject.line();
    }

    private long fileLine(int source, long position, Runnable goOn) {
        Cursor at = cursor;
        if (at == null || at.source != source || at.position > position) {
            close();
            at = new Cursor(source, inputs.stream(source));
            cursor = at;
        }
        while (at.position < position) {
            goOn.run();
            int wanted = (int) Math.min(buffer.length, position - at.position);
            int read = at.stream.read(buffer, 0, wanted);
            if (read == 0) {
                return Reject.LINE_UNKNOWN;
            }
            at.lines += countLines(buffer, 0, read, at.last);
            at.last = buffer[read - 1];
            at.position += read;
        }
        return at.lines + 1;
    }

    @Override
    public void close() {
        Cursor open = cursor;
        cursor = null;
        if (open != null) {
            open.stream.close();
        }
    }
}
