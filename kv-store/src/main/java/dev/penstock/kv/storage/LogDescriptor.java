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
 *    4  sequence  8  1, 2, 3, ...; a seal repeats that of the record before it
 *   12  crc32c    4  of (identity, kind, length, sequence, payload)
 *   16  payload
 * </pre>
 *
 * <p>A seal follows records that have been forced. It is not forced itself: it survives the death of
 * the process, and then tells damage to an acknowledged record from a record torn while it was
 * written, which only ever is the last one.
 */
final class LogDescriptor {
    static final long MAGIC = 0x31474F4C4B545350L;
    static final int VERSION = 1;
    static final int HEADER_BYTES = 32;
    static final int RECORD_HEADER_BYTES = 16;

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

    /** Fills the record header at {@code at}; the payload (if any) follows it in the array. */
    static void putRecordHeader(
            byte[] bytes, int at, int length, long sequence, LogKind kind, long identity) {
        ByteAccess.putInt(bytes, at, length);
        ByteAccess.putLong(bytes, at + 4, sequence);
        ByteAccess.putInt(
                bytes,
                at + 12,
                checksum(bytes, at + RECORD_HEADER_BYTES, length, sequence, kind, identity));
    }

    static int checksum(
            byte[] bytes, int payloadAt, int length, long sequence, LogKind kind, long identity) {
        byte[] place = new byte[24];
        ByteAccess.putLong(place, 0, identity);
        ByteAccess.putLong(place, 8, sequence);
        ByteAccess.putInt(place, 16, kind.ordinal());
        ByteAccess.putInt(place, 20, length);
        CRC32C crc = new CRC32C();
        crc.update(place);
        if (length > 0) {
            crc.update(bytes, payloadAt, length);
        }
        return (int) crc.getValue();
    }
}
