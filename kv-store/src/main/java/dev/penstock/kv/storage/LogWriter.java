package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.MemoryUsedUp;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Appends records to a log file. Thread-safe: one thread may force while others append; a force
 * covers what was appended before it began. Of a write that fails (a full disk) nothing stays.
 */
public final class LogWriter implements AutoCloseable {
    /** Of a write-ahead log, at first and at most, what is reserved at a time. */
    private static final int LEAST_RESERVED_BYTES = 64 << 10;

    private static final int MOST_RESERVED_BYTES = 1 << 20;

    /** For a record that is longer nothing is reserved: its own bytes cost more than the length. */
    private static final int MOST_SMALL_BYTES = 4 << 10;

    private static final byte[] NOTHING = {};

    private final Path path;
    private final StorageFile file;
    private final LogKind kind;
    private final long identity;
    private final ByteBuilder frame = new ByteBuilder(256);
    private long sequence;
    private long forced;
    private boolean broken;

    /** Where the bytes end that the file has already. */
    private long reservedEnd;

    private @Nullable PenstockException sealFailure;

    private LogWriter(Path path, StorageFile file, LogKind kind, long identity, long sequence) {
        this.path = path;
        this.file = file;
        this.kind = kind;
        this.identity = identity;
        this.sequence = sequence;
        this.forced = sequence;
    }

    /**
     * Creates a log; durable, with its name, on return. The name appears with a complete header or
     * not at all.
     */
    public static LogWriter create(Storage storage, Path path, LogKind kind, long identity) {
        return create(storage, path, kind, identity, log -> {});
    }

    /**
     * The same with what {@code content} appends in it from the start; replaces a log that has the
     * name.
     */
    public static LogWriter create(
            Storage storage, Path path, LogKind kind, long identity, Consumer<LogWriter> content) {
        Path unfinished = unfinished(path);
        storage.delete(unfinished);
        StorageFile file = storage.create(unfinished);
        try {
            file.write(LogDescriptor.header(kind, identity), 0, LogDescriptor.HEADER_BYTES);
            LogWriter writer = new LogWriter(path, file, kind, identity, 0);
            content.accept(writer);
            writer.sealContent();
            file.force();
            storage.rename(unfinished, path);
            file.renamed(path);
            return writer;
        } catch (RuntimeException | Error e) {
            file.close();
            remove(storage, unfinished, e);
            throw e;
        }
    }

    /** Where that fails too, the file goes when a log of the name is made or the store starts. */
    private static void remove(Storage storage, Path unfinished, Throwable because) {
        try {
            storage.delete(unfinished);
        } catch (PenstockException e) {
            because.addSuppressed(e);
        }
    }

    private static void forceName(Storage storage, Path path) {
        Path parent = path.getParent();
        if (parent != null) {
            storage.forceDirectory(parent);
        }
    }

    /** At the start of a store: removes what is left of a log that has not got its name. */
    public static void removeUnfinished(Storage storage, Path path) {
        Path unfinished = unfinished(path);
        if (storage.exists(unfinished)) {
            storage.delete(unfinished);
        }
    }

    /** Where a log is written before it has its name. */
    static Path unfinished(Path path) {
        return path.resolveSibling(path.getFileName() + RegionFiles.UNFINISHED);
    }

    /**
     * Goes on after what a {@link LogReader} has read. The log's name is forced: whoever gave it
     * may have been killed before that.
     */
    public static LogWriter resume(
            Storage storage, Path path, LogKind kind, long identity, long lastSequence) {
        StorageFile file = storage.append(path);
        try {
            forceName(storage, path);
            return new LogWriter(path, file, kind, identity, lastSequence);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Appends one record and returns its sequence number; it is not forced. */
    public long append(byte[] payload, int length) {
        return append(payload, length, NOTHING, 0);
    }

    /** The same for a record whose bytes are the first of one array, then the first of another. */
    public synchronized long append(byte[] head, int headLength, byte[] rest, int restLength) {
        long length = (long) headLength + restLength;
        if (length > LogDescriptor.MAX_PAYLOAD_BYTES) {
            throw PenstockException.usage(
                    "one call may write at most "
                            + LogDescriptor.MAX_PAYLOAD_BYTES
                            + " bytes, not "
                            + length);
        }
        begin((int) length, sequence + 1);
        frame.write(head, 0, headLength);
        frame.write(rest, 0, restLength);
        writeFrame();
        sequence++;
        return sequence;
    }

    /** Makes all records appended before durable, and says so in the log. */
    public void force() {
        long target = lastSequence();
        file.force();
        synchronized (this) {
            if (target > forced) {
                forced = target;
                seal();
            }
        }
    }

    /** Says that all is forced, which is so as soon as the file has its name. */
    private synchronized void sealContent() {
        if (sequence > 0) {
            forced = sequence;
            writeSeal();
        }
    }

    private void writeSeal() {
        begin(LogDescriptor.SEAL, sequence);
        writeFrame();
    }

    /** A log without its last seal is whole; that it cannot be written is no failure. */
    private void seal() {
        try {
            writeSeal();
        } catch (PenstockException e) {
            sealFailure = e;
        } catch (OutOfMemoryError e) {
            sealFailure = MemoryUsedUp.failure(e);
        }
    }

    /** Why the latest seal is missing, if it is. */
    public synchronized Optional<PenstockException> sealFailure() {
        return Optional.ofNullable(sealFailure);
    }

    private void begin(int lengthField, long recordSequence) {
        frame.clear();
        frame.putInt(lengthField).putInt(0).putLong(recordSequence).putLong(forced);
    }

    private void writeFrame() {
        int checksum = LogDescriptor.checksum(frame.array(), 0, kind, identity);
        ByteAccess.putInt(frame.array(), LogDescriptor.CHECKSUM, checksum);
        if (broken) {
            throw new PenstockException(
                    ErrorCategory.IO,
                    "nothing is appended to " + path + " any more since a write to it failed");
        }
        reserve(frame.length());
        long start = file.position();
        try {
            file.write(frame.array(), 0, frame.length());
        } catch (RuntimeException e) {
            broken = true;
            file.cutBack(start);
            reservedEnd = start;
            broken = false;
            throw e;
        }
    }

    /** Single rows are forced one by one; other logs are forced too seldom for this to matter. */
    private void reserve(int length) {
        long start = file.position();
        if (kind == LogKind.WRITE_AHEAD
                && length <= MOST_SMALL_BYTES
                && start + length > reservedEnd) {
            int bytes = Math.clamp(start, LEAST_RESERVED_BYTES, MOST_RESERVED_BYTES);
            file.reserve(bytes);
            reservedEnd = start + bytes;
        }
    }

    /** Whether a write has failed and could not be undone, so that nothing is appended any more. */
    public synchronized boolean isBroken() {
        return broken;
    }

    public synchronized long lastSequence() {
        return sequence;
    }

    /** Bytes of the file. */
    public synchronized long bytes() {
        return file.position();
    }

    /** Records up to this sequence are durable. */
    public synchronized long forcedSequence() {
        return forced;
    }

    /** Closes without forcing; what was reserved and not needed is given back. */
    @Override
    public synchronized void close() {
        try {
            if (reservedEnd > file.position()) {
                reservedEnd = 0;
                file.cutBack(file.position());
            }
        } catch (PenstockException e) {
            // The disk has failed. Zeros after the last record are read as the log's end.
        } finally {
            file.close();
        }
    }
}
