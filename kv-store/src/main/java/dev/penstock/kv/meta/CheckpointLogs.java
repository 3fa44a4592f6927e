package dev.penstock.kv.meta;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.LoadLog;
import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.LogReader;
import dev.penstock.kv.storage.QuietFailures.Upkeep;
import dev.penstock.kv.storage.Storage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

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
    private final Predicate<String> running;

    // Guarded by this
    private final Map<String, LoadLog> open = new HashMap<>();
    private final Map<String, LogReader.Place> read = new HashMap<>();

    /**
     * Of a leader.
     *
     * @param running whether a load runs; asked before its log is made, since one that has ended
     *     would never be removed
     */
    CheckpointLogs(Storage storage, Path folder, Predicate<String> running) {
        this.storage = storage;
        this.folder = folder;
        this.running = running;
    }

    /** Removes the logs of all other loads. */
    void keepOnly(Set<String> loadIds) {
        for (Path log : storage.list(folder)) {
            if (!loadIds.contains(String.valueOf(log.getFileName()))) {
                storage.delete(log);
            }
        }
    }

    /**
     * Durable on return.
     *
     * @throws PenstockException of category {@code CONFLICT} if the load has ended
     */
    void append(String loadId, byte[] entry) {
        opened(loadId).appendDurably(entry);
    }

    private synchronized LoadLog opened(String loadId) {
        LoadLog known = open.get(loadId);
        if (known == null) {
            if (!running.test(loadId)) {
                throw PenstockException.conflict("load " + loadId + " has ended");
            }
            known =
                    LoadLog.open(
                            storage,
                            folder.resolve(loadId),
                            LogKind.CHECKPOINTS,
                            loadId,
                            (sequence, entry) -> {});
            open.put(loadId, known);
        }
        return known;
    }

    /** Entries from that number on, a page of them; pages asked for in order are read once. */
    synchronized List<byte[]> read(String loadId, int from) {
        List<byte[]> page = new ArrayList<>();
        if (open.containsKey(loadId) || storage.exists(folder.resolve(loadId))) {
            LoadLog log = opened(loadId);
            LogReader.Place known = read.getOrDefault(loadId, LogReader.Place.START);
            LogReader.Place place = known.records() <= from ? known : LogReader.Place.START;
            LogReader.Place end = place;
            do {
                place = end;
                end =
                        log.read(
                                place,
                                PAGE_BYTES,
                                (sequence, entry) -> {
                                    if (sequence > from) {
                                        page.add(entry);
                                    }
                                });
            } while (page.isEmpty() && !end.equals(place));
            read.put(loadId, end);
        }
        return page;
    }

    /** Removes the log of a load that has ended. */
    synchronized void remove(String loadId) {
        LoadLog log = open.remove(loadId);
        read.remove(loadId);
        Path file = folder.resolve(loadId);
        // The load has ended whatever happens here; the next start removes the log.
        storage.quietFailures()
                .attempt(
                        Upkeep.DELETE,
                        file,
                        () -> {
                            if (log != null) {
                                log.close();
                            }
                            storage.delete(file);
                        });
    }

    @Override
    public synchronized void close() {
        open.values().forEach(LoadLog::close);
        open.clear();
    }
}
