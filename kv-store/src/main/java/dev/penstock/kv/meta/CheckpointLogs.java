package dev.penstock.kv.meta;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.LogReader;
import dev.penstock.kv.storage.LogWriter;
import dev.penstock.kv.storage.Storage;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What loaders want to be kept of loads that can be resumed: a log for each, from the first entry
 * to the end of the load. Entries mean nothing here. Thread-safe; threads that append to one log at
 * the same time share a force.
 */
final class CheckpointLogs implements AutoCloseable {
    /** Entries of one answer, so that it fits into a message. */
    private static final int PAGE_BYTES = 8 << 20;

    private final Storage storage;
    private final Path folder;

    // Guarded by this
    private final Map<String, OpenLog> open = new HashMap<>();
    private @Nullable PenstockException undeleted;

    private static final class OpenLog {
        private final LogWriter writer;
        private final ReentrantLock forcing = new ReentrantLock();

        /** Guarded by {@link #forcing}. */
        private boolean closed;

        OpenLog(LogWriter writer) {
            this.writer = writer;
        }

        void force(long wanted) {
            forcing.lock();
            try {
                if (closed) {
                    throw PenstockException.conflict("the load has ended or been resumed");
                }
                if (writer.forcedSequence() < wanted) {
                    writer.force();
                }
            } finally {
                forcing.unlock();
            }
        }

        void close() {
            forcing.lock();
            try {
                closed = true;
                writer.close();
            } finally {
                forcing.unlock();
            }
        }
    }

    CheckpointLogs(Storage storage, Path folder) {
        this.storage = storage;
        this.folder = folder;
    }

    /** Removes the logs of all other loads. */
    void keepOnly(Set<String> loadIds) {
        for (Path log : storage.list(folder)) {
            if (!loadIds.contains(String.valueOf(log.getFileName()))) {
                storage.delete(log);
            }
        }
    }

    /** Durable on return. */
    void append(String loadId, byte[] entry) {
        OpenLog log;
        long wanted;
        synchronized (this) {
            OpenLog known = open.get(loadId);
            log = known == null ? open(loadId) : known;
            open.put(loadId, log);
            wanted = log.writer.append(entry, entry.length);
        }
        log.force(wanted);
    }

    private OpenLog open(String loadId) {
        Path path = folder.resolve(loadId);
        LogWriter writer;
        if (storage.exists(path)) {
            long last = recover(path, loadId, (sequence, entry) -> {});
            writer = LogWriter.resume(storage, path, LogKind.CHECKPOINTS, identity(loadId), last);
        } else {
            storage.createDirectories(folder);
            writer = LogWriter.create(storage, path, LogKind.CHECKPOINTS, identity(loadId));
        }
        return new OpenLog(writer);
    }

    private long recover(Path path, String loadId, LogReader.Consumer consumer) {
        return LogReader.recover(storage, path, LogKind.CHECKPOINTS, identity(loadId), consumer)
                .lastSequence();
    }

    private static long identity(String loadId) {
        UUID id = UUID.fromString(loadId);
        return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    }

    /** Entries from that number on, a page of them. */
    synchronized List<byte[]> read(String loadId, int from) {
        close(open.remove(loadId));
        Path path = folder.resolve(loadId);
        List<byte[]> page = new ArrayList<>();
        if (storage.exists(path)) {
            long[] bytes = {0};
            recover(
                    path,
                    loadId,
                    (sequence, entry) -> {
                        if (sequence > from && bytes[0] < PAGE_BYTES) {
                            page.add(entry);
                            bytes[0] += entry.length;
                        }
                    });
        }
        return page;
    }

    /** Removes the log of a load that has ended. */
    synchronized void remove(String loadId) {
        close(open.remove(loadId));
        try {
            storage.delete(folder.resolve(loadId));
        } catch (PenstockException e) {
            // The load has ended whatever happens here; the next start removes the log.
            undeleted = e;
        }
    }

    /** Why a log is still there, if so. */
    synchronized Optional<PenstockException> undeleted() {
        return Optional.ofNullable(undeleted);
    }

    private static void close(@Nullable OpenLog log) {
        if (log != null) {
            log.close();
        }
    }

    @Override
    public synchronized void close() {
        open.values().forEach(CheckpointLogs::close);
        open.clear();
    }
}
