package dev.penstock.kv.region;

import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.LogReader;
import dev.penstock.kv.storage.Manifest;
import dev.penstock.kv.storage.PreparedLoad;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.Storage;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/**
 * What is there of a region when it is opened: prepared loads, and rows from write-ahead logs.
 * Files that neither the manifest nor a prepared load nor the logs account for are removed.
 */
final class RegionRecovery {
    private final Storage storage;
    private final RegionFiles files;
    private final Manifest manifest;
    private final List<PreparedLoad> prepared;
    private final TreeMap<Long, Path> logs = new TreeMap<>();

    private RegionRecovery(
            Storage storage, RegionFiles files, RegionJournal journal, Manifest manifest) {
        this.storage = storage;
        this.files = files;
        this.manifest = manifest;
        this.prepared = journal.prepared(files.regionId());
    }

    static RegionRecovery run(
            Storage storage, RegionFiles files, RegionJournal journal, Manifest manifest) {
        RegionRecovery recovery = new RegionRecovery(storage, files, journal, manifest);
        recovery.sortOut();
        return recovery;
    }

    private void sortOut() {
        Set<Path> needed = new HashSet<>();
        needed.add(files.manifest());
        for (LayerDescriptor layer : manifest.layers()) {
            need(layer.segments(), needed);
        }
        prepared.forEach(load -> need(load.segments(), needed));
        List<Path> present = storage.list(files.directory());
        for (Path file : present) {
            long number = RegionFiles.logNumber(file);
            if (number >= manifest.logFloor()) {
                logs.put(number, file);
                needed.add(file);
            }
        }
        for (Path file : present) {
            if (!needed.contains(file)) {
                storage.delete(file);
            }
        }
    }

    private void need(List<SegmentDescriptor> segments, Set<Path> needed) {
        segments.forEach(segment -> needed.add(files.segment(segment.name())));
    }

    List<PreparedLoad> prepared() {
        return prepared;
    }

    /** Number of the next write-ahead log. */
    long nextLog() {
        return logs.isEmpty() ? manifest.logFloor() : logs.lastKey() + 1;
    }

    /** Tells all changes that the logs hold, in order, with the number of their log. */
    void recover(ObjLongConsumer<WriteOperation> changes) {
        long expected = manifest.logFloor();
        for (long number : logs.keySet()) {
            if (number != expected) {
                throw PenstockException.corrupt(files.log(expected) + " is missing");
            }
            expected++;
        }
        logs.forEach((number, log) -> replay(log, change -> changes.accept(change, number)));
    }

    private void replay(Path log, Consumer<WriteOperation> changes) {
        LogReader.recover(
                storage,
                log,
                LogKind.WRITE_AHEAD,
                files.regionId(),
                (sequence, payload) -> {
                    String name = "record " + sequence + " of " + log;
                    changes.accept(WriteOperation.get(new ByteParser(payload, name)));
                });
    }
}
