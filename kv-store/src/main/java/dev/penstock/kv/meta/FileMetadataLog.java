package dev.penstock.kv.meta;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.LogReader;
import dev.penstock.kv.storage.LogWriter;
import dev.penstock.kv.storage.QuietFailures.Upkeep;
import dev.penstock.kv.storage.Storage;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The metadata log as one checked file, forced after every record. When it gets long it is written
 * anew, beside the old one and then renamed over it; whichever of them a power cut leaves says the
 * same.
 */
public final class FileMetadataLog implements MetadataLog {
    /** Three thousand loads, or fifty that can be resumed; every start reads all of it. */
    static final long FIRST_LIMIT_BYTES = 1L << 20;

    private final Storage storage;
    private final Path path;
    private final long firstLimit;
    private final ByteBuilder payload = new ByteBuilder(256);
    private LogWriter writer;
    private long limit;

    private FileMetadataLog(
            Storage storage, Path path, LogWriter writer, long firstLimit, long snapshotBytes) {
        this.storage = storage;
        this.path = path;
        this.writer = writer;
        this.firstLimit = firstLimit;
        this.limit = limit(snapshotBytes);
    }

    /**
     * Opens or creates the log and hands its records to {@code replay} in order.
     *
     * @param firstLimit bytes beyond which the file is written anew
     */
    static FileMetadataLog open(
            Storage storage, Path path, long firstLimit, Consumer<MetadataRecord> replay) {
        LogWriter.removeUnfinished(storage, path);
        if (!storage.exists(path)) {
            LogWriter writer = LogWriter.create(storage, path, LogKind.METADATA, 0);
            return new FileMetadataLog(storage, path, writer, firstLimit, 0);
        }
        Replay records = new Replay(path, replay);
        LogReader.Outcome outcome =
                LogReader.recover(storage, path, LogKind.METADATA, 0, records::read);
        LogWriter writer =
                LogWriter.resume(storage, path, LogKind.METADATA, 0, outcome.lastSequence());
        return new FileMetadataLog(storage, path, writer, firstLimit, records.snapshotBytes);
    }

    /** Reads the records of a log once. */
    private static final class Replay {
        private final Path path;
        private final Consumer<MetadataRecord> consumer;
        private long bytes;

        /** What the payloads of the snapshot take that the log begins with, if it does. */
        private long snapshotBytes;

        Replay(Path path, Consumer<MetadataRecord> consumer) {
            this.path = path;
            this.consumer = consumer;
        }

        void read(long sequence, byte[] payload) {
            MetadataRecord metadataRecord =
                    MetadataRecordCodec.get(
                            new ByteParser(payload, "record " + sequence + " of " + path));
            bytes += payload.length;
            if (metadataRecord instanceof MetadataRecord.SnapshotEnd) {
                snapshotBytes = bytes;
            }
            consumer.accept(metadataRecord);
        }
    }

    @Override
    public void append(MetadataRecord metadataRecord) {
        append(writer, metadataRecord);
        writer.force();
    }

    private void append(LogWriter log, MetadataRecord metadataRecord) {
        payload.clear();
        MetadataRecordCodec.put(metadataRecord, payload);
        log.append(payload.array(), payload.length());
    }

    @Override
    public void shorten(Supplier<List<MetadataRecord>> snapshot) {
        if (writer.bytes() <= limit) {
            return;
        }
        limit = 2 * writer.bytes();
        storage.quietFailures().attempt(Upkeep.SHORTEN, path, () -> writeAnew(snapshot));
    }

    private void writeAnew(Supplier<List<MetadataRecord>> snapshot) {
        LogWriter old = writer;
        writer =
                LogWriter.create(
                        storage,
                        path,
                        LogKind.METADATA,
                        0,
                        log -> snapshot.get().forEach(each -> append(log, each)));
        limit = limit(writer.bytes());
        old.close();
    }

    /** What is written anew is at most half of what is read. */
    private long limit(long snapshotBytes) {
        return Math.max(firstLimit, 2 * snapshotBytes);
    }

    /**
     * What could not be written is cut off again, if that can be; what could not be forced stays.
     */
    @Override
    public boolean isInDoubt() {
        return writer.isBroken() || writer.forcedSequence() < writer.lastSequence();
    }

    @Override
    public void close() {
        writer.close();
    }
}
