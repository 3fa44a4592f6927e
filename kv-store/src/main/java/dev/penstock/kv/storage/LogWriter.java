package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import java.nio.file.Path;

/** Appends records to a log file. Owned by one thread at a time; appending does not force. */
public final class LogWriter implements AutoCloseable {
    private final StorageFile file;
    private final LogKind kind;
    private final long identity;
    private final ByteBuilder frame = new ByteBuilder(256);
    private long sequence;

    private LogWriter(StorageFile file, LogKind kind, long identity, long sequence) {
        this.file = file;
        this.kind = kind;
        this.identity = identity;
        this.sequence = sequence;
    }

    /** Creates a log; durable, with its name, on return. */
    public static LogWriter create(Storage storage, Path path, LogKind kind, long identity) {
        StorageFile file = storage.create(path);
        try {
            file.write(LogDescriptor.header(kind, identity), 0, LogDescriptor.HEADER_BYTES);
            file.force();
            Path parent = path.getParent();
            if (parent != null) {
                storage.forceDirectory(parent);
            }
            return new LogWriter(file, kind, identity, 0);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Goes on after what a {@link LogReader} has read. */
    public static LogWriter resume(
            Storage storage, Path path, LogKind kind, long identity, long lastSequence) {
        return new LogWriter(storage.append(path), kind, identity, lastSequence);
    }

    /** Appends one record and returns its sequence number. */
    public long append(byte[] payload, int length) {
        if (length > LogDescriptor.MAX_PAYLOAD_BYTES) {
            throw PenstockException.usage(
                    "one call may write at most "
                            + LogDescriptor.MAX_PAYLOAD_BYTES
                            + " bytes, not "
                            + length);
        }
        frame.clear();
        int at = frame.reserve(LogDescriptor.RECORD_HEADER_BYTES);
        frame.setLength(at + LogDescriptor.RECORD_HEADER_BYTES);
        frame.write(payload, 0, length);
        sequence++;
        LogDescriptor.putRecordHeader(frame.array(), 0, length, sequence, kind, identity);
        file.write(frame.array(), 0, frame.length());
        return sequence;
    }

    /** Makes all records appended so far durable. May run while another thread appends. */
    public void force() {
        file.force();
    }

    /** Says that all records so far have been forced. */
    public void seal() {
        byte[] seal = new byte[LogDescriptor.RECORD_HEADER_BYTES];
        LogDescriptor.putRecordHeader(seal, 0, LogDescriptor.SEAL, sequence, kind, identity);
        file.write(seal, 0, seal.length);
    }

    public long lastSequence() {
        return sequence;
    }

    public long position() {
        return file.position();
    }

    @Override
    public void close() {
        file.close();
    }
}
