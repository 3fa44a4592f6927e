package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Where the logs of a data folder ended when it was closed. A log whose last records are missing
 * looks like one whose last records were never written; only something outside of it can tell. So
 * closing writes the file {@code closed}, and opening compares and then removes it before anything
 * else is written: after a process or a machine has failed there is none, and nothing is compared.
 * Checkpoints of loads are left out: chunks that they lack are sent again.
 *
 * <p>What is found to be damaged is kept in the file until it is repaired or gone, so that it is
 * not found to be in order by the next start.
 */
public final class LastClose {
    private static final String NAME = "closed";

    /** Damage behind this is found by the log's own checksums. */
    private static final int TAIL_BYTES = 512;

    /**
     * Where a log ended.
     *
     * @param bytes it has at least so many
     * @param checksum CRC32C of the last {@link #TAIL_BYTES} of them
     */
    private record End(long bytes, int checksum) {}

    private final Storage storage;
    private final Path folder;

    /** Of logs that are damaged, by path within the folder. */
    private final Map<String, End> damaged = new LinkedHashMap<>();

    private LastClose(Storage storage, Path folder) {
        this.storage = storage;
        this.folder = folder;
    }

    /**
     * Compares the logs with what is written about them, and forgets that.
     *
     * @throws PenstockException of category {@code CORRUPT} if a log is damaged that all of the
     *     folder depends on
     */
    public static LastClose open(Storage storage, Path folder) {
        LastClose close = new LastClose(storage, folder);
        Path path = folder.resolve(NAME);
        LogWriter.removeUnfinished(storage, path);
        if (!storage.exists(path)) {
            return close;
        }
        LogReader.recover(
                storage,
                path,
                LogKind.CLOSED,
                0,
                (sequence, payload) -> close.read(new ByteParser(payload, path.toString())));
        for (String log : close.damaged.keySet()) {
            if (!log.contains("/")) {
                throw close.damage(log);
            }
        }
        close.forget(path);
        return close;
    }

    private void read(ByteParser in) {
        int count = in.getCount(16);
        for (int i = 0; i < count; i++) {
            String log = in.getString();
            End end = new End(in.getLong(), in.getInt());
            Path path = folder.resolve(log);
            Path parent = path.getParent();
            boolean wanted = parent != null && storage.exists(parent);
            if (wanted && (!storage.exists(path) || !endsThere(path, end))) {
                damaged.put(log, end);
            }
        }
        in.expectEnd();
    }

    private boolean endsThere(Path path, End end) {
        return storage.size(path) >= end.bytes() && checksum(path, end.bytes()) == end.checksum();
    }

    private int checksum(Path path, long bytes) {
        int count = (int) Math.min(TAIL_BYTES, bytes);
        try (MappedFile file = storage.map(path)) {
            CRC32C crc = new CRC32C();
            crc.update(file.bytes().asSlice(bytes - count, count).toArray(ValueLayout.JAVA_BYTE));
            return (int) crc.getValue();
        }
    }

    private void forget(Path path) {
        if (damaged.isEmpty()) {
            storage.delete(path);
            storage.forceDirectory(folder);
        } else {
            write(damaged);
        }
    }

    /** What is wrong with a region's logs, if anything. */
    public Optional<PenstockException> damage(RegionFiles files) {
        return damage(files.directory());
    }

    /** What is wrong with the logs in a folder below this one, if anything. */
    public Optional<PenstockException> damage(Path directory) {
        String prefix = folder.relativize(directory) + "/";
        return damaged.keySet().stream()
                .filter(log -> log.startsWith(prefix))
                .findFirst()
                .map(this::damage);
    }

    private PenstockException damage(String log) {
        return PenstockException.corrupt(
                folder.resolve(log)
                        + " does not end as it did when the store was closed: it was cut, removed"
                        + " or replaced by an older one");
    }

    /** Writes down where the logs end, which are closed. Without it they are not compared. */
    public void write() {
        Map<String, End> ends = new LinkedHashMap<>(damaged);
        for (Path log : logs()) {
            String name = folder.relativize(log).toString();
            if (!damaged.containsKey(name)) {
                long bytes = LogReader.forceEnd(storage, log);
                ends.put(name, new End(bytes, checksum(log, bytes)));
            }
        }
        write(ends);
    }

    private List<Path> logs() {
        List<Path> logs = new ArrayList<>();
        for (String name : List.of("metadata", "journal")) {
            if (storage.exists(folder.resolve(name))) {
                logs.add(folder.resolve(name));
            }
        }
        for (Path load : storage.list(folder.resolve("resume"))) {
            if (storage.exists(load.resolve("fragments"))) {
                logs.add(load.resolve("fragments"));
            }
        }
        for (Path region : storage.list(folder.resolve("regions"))) {
            RegionFiles.of(region)
                    .ifPresent(files -> {
                        for (Path file : storage.list(region)) {
                            if (file.equals(files.manifest()) || RegionFiles.logNumber(file) >= 0) {
                                logs.add(file);
                            }
                        }
                    });
        }
        return logs;
    }

    private void write(Map<String, End> ends) {
        ByteBuilder payload = new ByteBuilder(512);
        payload.putInt(ends.size());
        ends.forEach(
                (log, end) -> payload.putString(log).putLong(end.bytes()).putInt(end.checksum()));
        Path path = folder.resolve(NAME);
        LogWriter.create(
                        storage,
                        path,
                        LogKind.CLOSED,
                        0,
                        log -> log.append(payload.array(), payload.length()))
                .close();
    }
}
