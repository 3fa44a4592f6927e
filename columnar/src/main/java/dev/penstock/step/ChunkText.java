package dev.penstock.step;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.error.PenstockException;

/**
 * A whole chunk as its file has it: the other payload of {@link FragmentForm#RAW}. Nobody has
 * looked at its records but at the first and the last.
 *
 * <pre>
 *   the text, whole records
 *   int   magic "PTXT"
 *   int   source index
 *   long  byte position of the text in the source
 * </pre>
 *
 * <p>What it says about the text follows it, so that the text can go where it is to be parsed as it
 * comes.
 *
 * @param sourceIndex of the input
 * @param position of the text in the input
 * @param length bytes of the text
 */
public record ChunkText(int sourceIndex, long position, int length) {
    /** A longer text may not fit a message; its rows, encoded, do. */
    public static final int MOST_BYTES = 32 << 20;

    /** Of what follows the text. */
    public static final int TRAILER_BYTES = 16;

    private static final int MAGIC = 0x54585450;
    private static final int SOURCE = 4;
    private static final int POSITION = 8;
    private static final String WHAT = "a chunk's text";

    /** Bytes of the payload. */
    public int payloadLength() {
        return length + TRAILER_BYTES;
    }

    /** What follows the text in the payload. */
    public byte[] trailer() {
        byte[] trailer = new byte[TRAILER_BYTES];
        ByteAccess.putInt(trailer, 0, MAGIC);
        ByteAccess.putInt(trailer, SOURCE, sourceIndex);
        ByteAccess.putLong(trailer, POSITION, position);
        return trailer;
    }

    /** Reads the trailer; what does not fit is refused as corrupt. */
    public static ChunkText of(byte[] payload, int payloadLength) {
        int end = payloadLength - TRAILER_BYTES;
        if (end < 0 || payloadLength > payload.length || ByteAccess.getInt(payload, end) != MAGIC) {
            throw PenstockException.corrupt(WHAT + " does not end as one");
        }
        int source = ByteAccess.getInt(payload, end + SOURCE);
        long position = ByteAccess.getLong(payload, end + POSITION);
        if (source < 0 || position < 0) {
            throw PenstockException.corrupt(
                    WHAT + " comes from byte " + position + " of input " + source);
        }
        return new ChunkText(source, position, end);
    }
}
