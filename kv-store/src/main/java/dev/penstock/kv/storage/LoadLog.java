package dev.penstock.kv.storage;

import dev.penstock.error.PenstockException;

import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A log of one load, which many threads append to: those that force it at the same time share one
 * force. Thread-safe.
 */
public final class LoadLog implements AutoCloseable {
    private final Storage storage;
    private final Path path;
    private final LogKind kind;
    private final long identity;
    private final LogWriter writer;
    private final ReentrantLock forcing = new ReentrantLock();

    /** Guarded by {@link #forcing}. */
    private boolean closed;

    private LoadLog(Storage storage, Path path, LogKind kind, long identity, LogWriter writer) {
        this.storage = storage;
        this.path = path;
        this.kind = kind;
        this.identity = identity;
        this.writer = writer;
    }

    /**
     * Reads the log of a load and goes on with it, or makes one, with its folder, if there is none.
     *
     * @throws PenstockException of category {@code CORRUPT} if something that was forced is damaged
     */
    public static LoadLog open(
            Storage storage, Path path, LogKind kind, String loadId, LogReader.Consumer consumer) {
        UUID id = UUID.fromString(loadId);
        long identity = id.getMostSignificantBits() ^ id.getLeastSignificantBits();
        LogWriter writer;
        if (storage.exists(path)) {
            long last = LogReader.recover(storage, path, kind, identity, consumer).lastSequence();
            writer = LogWriter.resume(storage, path, kind, identity, last);
        } else {
            Path folder = path.resolveSibling("");
            storage.createDirectories(folder);
            // Who has made it may not have come to that.
            storage.forceDirectory(folder.resolveSibling(""));
            writer = LogWriter.create(storage, path, kind, identity);
        }
        return new LoadLog(storage, path, kind, identity, writer);
    }

    /** Appends one record, whose bytes are the first of one array, then the first of another. */
    public void append(byte[] head, int headLength, byte[] rest, int restLength) {
        writer.append(head, headLength, rest, restLength);
    }

    /** Appends one record and makes it durable, with all before it. */
    public void appendDurably(byte[] payload) {
        force(writer.append(payload, payload.length));
    }

    /** Whether nothing can be appended any more; what was is there for the next who opens it. */
    public boolean isBroken() {
        return writer.isBroken();
    }

    /** What was appended before survives on return. */
    public void force() {
        force(writer.lastSequence());
    }

    private void force(long wanted) {
        forcing.lock();
        try {
            if (closed) {
                throw PenstockException.conflict("the load has ended on this server");
            }
            if (writer.forcedSequence() < wanted) {
                writer.force();
            }
        } finally {
            forcing.unlock();
        }
    }

    /**
     * Reads records on from a place, about so many bytes of them; those that were appended before
     * survive on return.
     *
     * @param from {@link LogReader.Place#START}, or what an earlier call has returned
     * @return where the next call may go on
     */
    public LogReader.Place read(LogReader.Place from, int bytes, LogReader.Consumer consumer) {
        long last = writer.lastSequence();
        force(last);
        return LogReader.readOn(storage, path, kind, identity, from, last, bytes, consumer);
    }

    @Override
    public void close() {
        forcing.lock();
        try {
            closed = true;
            writer.close();
        } finally {
            forcing.unlock();
        }
    }
}
