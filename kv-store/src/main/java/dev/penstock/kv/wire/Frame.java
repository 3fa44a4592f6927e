package dev.penstock.kv.wire;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.error.PenstockException;

/**
 * What travels on a connection, in both directions, after each other:
 *
 * <pre>
 *   0   int   length       bytes after this header: message and bulk together
 *   4   int   bulkLength   bytes of bulk at the end of the frame, often 0
 *   8   byte  type         {@link MessageType}
 *   9   long  requestId    chosen by the client; the reply repeats it
 *  17   message            length - bulkLength bytes, as its codec says
 *   .   bulk               bytes that are handed on as they are: a fragment's payload
 * </pre>
 *
 * All numbers are little-endian. Message and bulk are received into one array each, of their final
 * size. The first frame of a connection is a {@link Handshake} and may be no longer than {@link
 * #MAX_HANDSHAKE_BYTES}.
 */
public final class Frame {
    public static final int LENGTH = 0;
    public static final int BULK_LENGTH = 4;
    public static final int TYPE = 8;
    public static final int REQUEST_ID = 9;
    public static final int HEADER_BYTES = 17;

    /** Most bytes after the header, once the handshake is done. */
    public static final int MAX_BYTES = 64 << 20;

    /** Most bytes after the header before the handshake is done. */
    public static final int MAX_HANDSHAKE_BYTES = 8 << 10;

    /** Readable bytes after a received bulk, so that vector loads may run over its end. */
    public static final int BULK_PADDING = 64;

    private Frame() {}

    public static void putHeader(
            byte[] target, int at, int messageBytes, int bulkBytes, int type, long requestId) {
        ByteAccess.putInt(target, at + LENGTH, Math.addExact(messageBytes, bulkBytes));
        ByteAccess.putInt(target, at + BULK_LENGTH, bulkBytes);
        target[at + TYPE] = (byte) type;
        ByteAccess.putLong(target, at + REQUEST_ID, requestId);
    }

    /**
     * Refuses lengths that are negative, contradict each other or exceed the bound.
     *
     * @param maxBytes {@link #MAX_BYTES} or {@link #MAX_HANDSHAKE_BYTES}
     */
    public static void check(int length, int bulkLength, int maxBytes) {
        if (length < 0 || length > maxBytes) {
            throw PenstockException.corrupt(
                    "a frame claims " + length + " bytes where at most " + maxBytes + " may come");
        }
        if (bulkLength < 0 || bulkLength > length) {
            throw PenstockException.corrupt(
                    "a frame of " + length + " bytes claims " + bulkLength + " bytes of bulk");
        }
    }
}
