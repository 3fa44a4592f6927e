package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteAccess;

import java.util.zip.CRC32C;

/**
 * The bytes of a log file, little-endian.
 *
 * <pre>
 * file header, 32 bytes
 *    0  magic     8  "PSTKLOG1"
 *    8  kind      4  ordinal of {@link LogKind}
 *   12  version   4
 *   16  identity  8  what the log belongs to (a region id, 0 for the store)
 *   24  crc32c    4  of bytes 0..24
 *   28  zero      4
 * record
 *    0  length    4  of the payload; {@link #SEAL} has no payload
 *    4  crc32c    4  of (identity, sequence, forced, kind, length, payload)
 *    8  sequence  8  1, 2, 3, ...; a seal repeats that of the record before it
 *   16  forced    8  records up to this sequence were durable when this one was written
 *   24  payload
 * </pre>
 *
 * <p>A seal follows each force. It is not forced itself: it survives the death of the process and
 * then tells damage to an acknowledged record (something later says that it was forced) from a
 * record torn or lost while it was written (nothing does).
 */
final class LogDescriptor {
    static final long MAGIC = 0x31474F4C4B545350L;
    static final int VERSION = 1;
    static final int HEADER_BYTES = 32;
    static final int RECORD_HEADER_BYTES = 24;
    static final int LENGTH = 0;
    static final int CHECKSUM = 4;
    static final int SEQUENCE = 8;
    static final int FORCED = 16;

    /** Length field of a seal. */
    static final int SEAL = -1;

    /** Longest payload. */
    static final int MAX_PAYLOAD_BYTES = 1 << 28;

    private LogDescriptor() {}

    static byte[] header(LogKind kind, long identity) {
        byte[] header = new byte[HEADER_BYTES];
        ByteAccess.putLong(header, 0, MAGIC);
        ByteAccess.putInt(header, 8, kind.ordinal());
        ByteAccess.putInt(header, 12, VERSION);
        ByteAccess.putLong(header, 16, identity);
        CRC32C crc = new CRC32C();
        crc.update(header, 0, 24);
        ByteAccess.putInt(header, 24, (int) crc.getValue());
        return header;
    }

    /** Checksum of a record whose header is at {@code at}, its payload following in the array. */
    static int checksum(byte[] bytes, int at, LogKind kind, long identity) {
        int length = ByteAccess.getInt(bytes, at + LENGTH);
        byte[] place = new byte[32];
        ByteAccess.putLong(place, 0, identity);
        ByteAccess.putLong(place, 8, ByteAccess.getLong(bytes, at + SEQUENCE));
        ByteAccess.putLong(place, 16, ByteAccess.getLong(bytes, at + FORCED));
        ByteAccess.putInt(place, 24, kind.ordinal());
        ByteAccess.putInt(place, 28, length);
        CRC32C crc = new CRC32C();
        crc.update(place);
        if (length > 0) {
            crc.update(bytes, at + RECORD_HEADER_BYTES, length);
        }
        return (int) crc.getValue();
    }
}
