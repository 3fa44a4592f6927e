package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.error.PenstockException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Reads a log from its start. A record that does not check out ends the log if nothing valid follows
 * it (it was being written when the machine stopped, and nobody was told that it was kept); it is
 * refused as corrupt if anything valid follows.
 */
public final class LogReader {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Receives the records in order. */
    @FunctionalInterface
    public interface Consumer {
        void record(long sequence, byte[] payload);
    }

    /**
     * What was read.
     *
     * @param length bytes up to the end of the last valid record or seal
     */
    public record Outcome(long lastSequence, long length) {}

    private final Path path;
    private final LogKind kind;
    private final long identity;
    private final MemorySegment bytes;
    private long expected = 1;

    private LogReader(Path path, LogKind kind, long identity, MemorySegment bytes) {
        this.path = path;
        this.kind = kind;
        this.identity = identity;
        this.bytes = bytes;
    }

    /** Reads all records and cuts off a torn tail. */
    public static Outcome recover(
            Storage storage, Path path, LogKind kind, long identity, Consumer consumer) {
        Outcome outcome;
        long size;
        try (MappedFile file = storage.map(path)) {
            size = file.bytes().byteSize();
            outcome = new LogReader(path, kind, identity, file.bytes()).read(consumer);
        }
        if (outcome.length() < size) {
            storage.truncate(path, outcome.length());
        }
        return outcome;
    }

    private Outcome read(Consumer consumer) {
        checkHeader();
        long at = LogDescriptor.HEADER_BYTES;
        while (at < bytes.byteSize()) {
            int length = validLength(at);
            if (length == LogDescriptor.SEAL && sequence(at) == expected - 1) {
                at += LogDescriptor.RECORD_HEADER_BYTES;
            } else if (length >= 0 && sequence(at) == expected) {
                byte[] payload = payload(at, length);
                consumer.record(expected, payload);
                expected++;
                at += LogDescriptor.RECORD_HEADER_BYTES + (long) length;
            } else {
                refuseIfFollowed(at);
                break;
            }
        }
        return new Outcome(expected - 1, at);
    }

    private void checkHeader() {
        byte[] wanted = LogDescriptor.header(kind, identity);
        if (bytes.byteSize() < wanted.length) {
            throw PenstockException.corrupt(path + " ends within its header");
        }
        if (bytes.get(LONG, 0) != LogDescriptor.MAGIC) {
            throw PenstockException.corrupt(path + " is not a log of this store");
        }
        int version = bytes.get(INT, 12);
        if (MemorySegment.ofArray(wanted).mismatch(bytes.asSlice(0, wanted.length)) != -1) {
            throw PenstockException.corrupt(
                    path + " has a damaged or foreign header (format version " + version + ")");
        }
    }

    /** Length field of the valid record or seal at that position, or -2 if there is none. */
    private int validLength(long at) {
        long room = bytes.byteSize() - at - LogDescriptor.RECORD_HEADER_BYTES;
        if (room < 0) {
            return -2;
        }
        int length = bytes.get(INT, at);
        if (length < LogDescriptor.SEAL
                || length > LogDescriptor.MAX_PAYLOAD_BYTES
                || length > room) {
            return -2;
        }
        byte[] payload = payload(at, Math.max(0, length));
        int checksum =
                LogDescriptor.checksum(payload, 0, length, sequence(at), kind, identity);
        return checksum == bytes.get(INT, at + 12) ? length : -2;
    }

    private long sequence(long at) {
        return bytes.get(LONG, at + 4);
    }

    private byte[] payload(long at, int length) {
        byte[] payload = new byte[length];
        MemorySegment.copy(
                bytes,
                ValueLayout.JAVA_BYTE,
                at + LogDescriptor.RECORD_HEADER_BYTES,
                payload,
                0,
                length);
        return payload;
    }

    /** Looks for a later record or for a seal of the record at {@code bad}. */
    private void refuseIfFollowed(long bad) {
        long last = bytes.byteSize() - LogDescriptor.RECORD_HEADER_BYTES;
        byte[] window = new byte[8];
        for (long at = bad + 1; at <= last; at++) {
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at + 4, window, 0, 8);
            long sequence = ByteAccess.getLong(window, 0);
            boolean plausible = sequence >= expected && sequence - expected < 1L << 32;
            if (plausible && validLength(at) != -2) {
                throw PenstockException.corrupt(
                        path
                                + " is damaged at byte "
                                + bad
                                + ": record "
                                + expected
                                + " does not match its checksum");
            }
        }
    }
}
