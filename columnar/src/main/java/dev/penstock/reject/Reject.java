package dev.penstock.reject;

/**
 * A record that could not become a row: a value that flows on beside the rows.
 *
 * @param reason the class of the fault
 * @param sourceIndex which input, 0-based in the order given
 * @param bytePosition 0-based position of the record's first byte in its (decompressed) source
 * @param line 1-based physical line where the record starts, or {@link #LINE_UNKNOWN} until the
 *     lines before its chunk have been counted
 * @param columnName the column at fault, or empty
 * @param value the field's text, shortened, or empty; control characters are in it as they are
 * @param expected what would have been right, and where it helps, how to fix it
 * @param record the record's bytes as read, without the line end; at most {@link #MAX_RECORD_BYTES}
 */
public record Reject(
        RejectReason reason,
        int sourceIndex,
        long bytePosition,
        long line,
        String columnName,
        String value,
        String expected,
        byte[] record) {
    public static final long LINE_UNKNOWN = -1;

    /**
     * Most bytes of a record that are kept: all of any that is not too large to be one, and one
     * byte more of others, so that the beginning of a record is never taken for a whole one.
     */
    public static final int MAX_RECORD_BYTES = (1 << 24) + 1;

    public Reject withLine(long knownLine) {
        return new Reject(
                reason, sourceIndex, bytePosition, knownLine, columnName, value, expected, record);
    }

    public Reject withPosition(int source, long position) {
        return new Reject(reason, source, position, line, columnName, value, expected, record);
    }
}
