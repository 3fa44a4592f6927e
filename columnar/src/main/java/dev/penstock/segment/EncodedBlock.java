package dev.penstock.segment;

/**
 * What a writer needs to know of a block's bytes.
 *
 * @param encoding one of {@link SegmentFormat}'s block encodings
 * @param length bytes
 * @param nullCount rows that are NULL
 * @param maxLength length of the longest byte string; 0 for long values and codes
 * @param min smallest value, code or head; greater than {@code max} if all rows are NULL
 * @param max greatest value, code or head
 */
public record EncodedBlock(
        byte encoding, int length, int nullCount, int maxLength, long min, long max) {

    /** Whether its byte strings are compressed as one. */
    public boolean isCompressed() {
        return encoding == SegmentFormat.BLOCK_BYTES_LZ4;
    }
}
