package dev.penstock.parse;

import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.ScanKernels;

/**
 * Finds where chunks may be cut: after whole records, exactly, quotes and all.
 *
 * <p>A reader collects a source's bytes in a buffer that begins at a record's start, asks for the
 * last boundary, hands out what lies before it and carries the rest over:
 *
 * <pre>{@code
 * RecordBoundary boundary = new RecordBoundary(dialect, maxRecordBytes);
 * // buffer[0, length) begins with a record; `end` says whether the source has ended
 * int cut = boundary.last(buffer, 0, length, end);
 * if (cut > 0) {
 *     emit(buffer, 0, cut);                         // a chunk: whole records
 *     // buffer[cut, length) begins the next chunk's buffer
 * } else if (boundary.oversized(0, length)) {
 *     // reject it (TOO_LARGE); drop bytes until boundary.nextLine(..) finds the next record
 * } else {
 *     // a record longer than the buffer: double the buffer and read on
 * }
 * }</pre>
 *
 * <p>The answer depends on the bytes from the record start on, not on how they arrive: a CR that
 * might belong to a CRLF, a quote that might be doubled and a quoted field that might still end are
 * never cut. {@code Deserialize} ends every record at the same place (the rules are those of {@link
 * RecordWalker}), so that any cutting gives the same rows and rejects. {@code maxRecordBytes} must
 * be the same there.
 *
 * <p>Cost: without quoting the last line end, searched backwards; with quoting one vector pass that
 * looks for quotes, and a full scan only where they are not regular. One per thread.
 */
public final class RecordBoundary {
    /** A record longer than this is rejected, unless the user says otherwise: 16 MiB. */
    public static final int DEFAULT_MAX_RECORD_BYTES = 1 << 24;

    private static final int WINDOW_BYTES = 1 << 18;

    private final int maxRecordBytes;
    private final boolean quoted;
    private final boolean anyNewline;
    private final boolean plain;
    private final QuotedScan scan;
    private final QuotedTail tail;

    /** Whether {@link #tail} has begun with the text that {@link #last} will be asked about. */
    private boolean begun;

    public RecordBoundary(Dialect dialect, int maxRecordBytes) {
        this(dialect, maxRecordBytes, QuotedTail.WINDOW_BYTES);
    }

    RecordBoundary(Dialect dialect, int maxRecordBytes, int windowBytes) {
        this.maxRecordBytes = maxRecordBytes;
        this.quoted = dialect.quoted();
        this.anyNewline = dialect.newline() == Dialect.Newline.ANY;
        this.plain = dialect.quotesAloneHideLines();
        this.scan = new QuotedScan(dialect, 0, maxRecordBytes);
        this.tail = new QuotedTail(dialect, windowBytes);
    }

    /**
     * Begins with a text that is still being read, to look at it while it is in the cache. The next
     * text that {@link #last} is asked about is this one, from its start.
     *
     * @param bytes a record begins at 0
     * @param quotes gets all quotes if {@link #last} finds them regular, and not too many; else
     *     nothing is known
     */
    public void begin(byte[] bytes, QuotePlaces quotes) {
        tail.begin(bytes, 0, quotes);
        begun = true;
    }

    /** The text is there up to {@code end}. */
    public void look(int end) {
        if (plain && begun) {
            tail.look(end);
        }
    }

    /**
     * The position after the last whole record in {@code bytes[from, to)}, or {@code from} if none
     * ends there; {@code to} if {@code endOfInput}. {@code from} must be a record's start.
     */
    public int last(byte[] bytes, int from, int to, boolean endOfInput) {
        boolean known = begun;
        begun = false;
        if (endOfInput || from >= to) {
            return to;
        }
        // A CR at the end may be the first half of a CRLF.
        int limit = anyNewline && bytes[to - 1] == '\r' ? to - 1 : to;
        if (plain && to - from <= maxRecordBytes) {
            if (!known) {
                tail.begin(bytes, from, new QuotePlaces());
            }
            int line = tail.lastLine(to);
            if (line != QuotedTail.UNKNOWN) {
                return line;
            }
        }
        if (quoted && ScanKernels.indexOf(bytes, from, limit, scan.quote()) < limit) {
            return lastQuoted(bytes, from, limit);
        }
        return lastLine(bytes, from, limit);
    }

    /** Whether {@code bytes[from, to)}, in which no record ends, is more than a record may be. */
    public boolean oversized(int from, int to) {
        return (long) to - from > maxRecordBytes;
    }

    /**
     * The position after the first line end in {@code bytes[from, to)}: where reading goes on
     * behind an oversized record. -1 if no line certainly ends there; {@code to} at the end of
     * input.
     */
    public int nextLine(byte[] bytes, int from, int to, boolean endOfInput) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
            if (anyNewline && bytes[i] == '\r' && (i + 1 < to || endOfInput)) {
                return i + 1 < to && bytes[i + 1] == '\n' ? i + 2 : i + 1;
            }
        }
        return endOfInput ? to : -1;
    }

    private int lastLine(byte[] bytes, int from, int to) {
        for (int i = to - 1; i >= from; i--) {
            if (bytes[i] == '\n' || (anyNewline && bytes[i] == '\r')) {
                return i + 1;
            }
        }
        return from;
    }

    private int lastQuoted(byte[] bytes, int from, int to) {
        int boundary = from;
        int windowBytes = WINDOW_BYTES;
        while (boundary < to) {
            int windowTo = (int) Math.min(to, (long) boundary + windowBytes);
            int end;
            if (scan.findQuotes(bytes, boundary, windowTo)) {
                scan.scan(windowTo, to, false);
                end = scan.recordsEnd();
            } else {
                end = lastLine(bytes, boundary, windowTo);
                end = anyNewline && end < to && splitsCrLf(bytes, end) ? end + 1 : end;
            }
            if (end == boundary && windowTo == to) {
                break;
            }
            windowBytes = end == boundary ? Math.min(2 * windowBytes, 1 << 30) : WINDOW_BYTES;
            boundary = end;
        }
        return boundary;
    }

    private static boolean splitsCrLf(byte[] bytes, int at) {
        return at > 0 && bytes[at - 1] == '\r' && bytes[at] == '\n';
    }
}
