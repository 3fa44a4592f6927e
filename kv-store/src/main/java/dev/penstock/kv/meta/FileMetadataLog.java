package dev.penstock.kv.meta;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.LogReader;
import dev.penstock.kv.storage.LogWriter;
import dev.penstock.kv.storage.Storage;

import java.nio.file.Path;
import java.util.function.Consumer;

/** The metadata log as one checked file, forced after every record. */
public final class FileMetadataLog implements MetadataLog {
    private final LogWriter writer;
    private final ByteBuilder payload = new ByteBuilder(256);

    private FileMetadataLog(LogWriter writer) {
        this.writer = writer;
    }

    /** Opens or creates the log and hands its records to {@code replay} in order. */
    public static FileMetadataLog open(
            Storage storage, Path path, Consumer<MetadataRecord> replay) {
        if (!storage.exists(path)) {
            return new FileMetadataLog(LogWriter.create(storage, path, LogKind.METADATA, 0));
        }
        LogReader.Outcome outcome =
                LogReader.recover(
                        storage,
                        path,
                        LogKind.METADATA,
                        0,
                        (sequence, bytes) ->
                                replay.accept(
                                        MetadataRecordCodec.get(
                                                new ByteParser(
                                                        bytes,
                                                        "record " + sequence + " of " + path))));
        return new FileMetadataLog(
                LogWriter.resume(storage, path, LogKind.METADATA, 0, outcome.lastSequence()));
    }

    @Override
    public void append(MetadataRecord metadataRecord) {
        payload.clear();
        MetadataRecordCodec.put(metadataRecord, payload);
        writer.append(payload.array(), payload.length());
        writer.force();
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
