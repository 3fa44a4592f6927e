package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionDescriptor;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The durable list of changes that says which layers make up a region. A region exists as soon as
 * its manifest has its name. Every {@value #MAX_RECORDS} records the log is written anew, as one
 * snapshot, beside the old one and then renamed over it.
 *
 * <p>Owned by the region's structure lock.
 */
public final class Manifest implements AutoCloseable {
    private static final int MAX_RECORDS = 256;

    private final Storage storage;
    private final RegionFiles files;
    private final ManifestState state;
    private LogWriter writer;
    private @Nullable PenstockException shortenFailure;

    private Manifest(Storage storage, RegionFiles files, ManifestState state, LogWriter writer) {
        this.storage = storage;
        this.files = files;
        this.state = state;
        this.writer = writer;
    }

    /** Creates an empty region's manifest in its folder, which exists. */
    public static Manifest create(Storage storage, RegionFiles files, RegionDescriptor region) {
        ManifestState state = new ManifestState();
        state.apply(new ManifestRecord.Created(region));
        return new Manifest(storage, files, state, writeAnew(storage, files, state));
    }

    public static Manifest open(Storage storage, RegionFiles files) {
        ManifestState state = new ManifestState();
        Path path = files.manifest();
        LogReader.Outcome outcome =
                LogReader.recover(
                        storage,
                        path,
                        LogKind.MANIFEST,
                        files.regionId(),
                        (sequence, payload) ->
                                state.apply(
                                        ManifestRecordCodec.get(
                                                new ByteParser(
                                                        payload,
                                                        "record " + sequence + " of " + path))));
        LogWriter writer =
                LogWriter.resume(
                        storage, path, LogKind.MANIFEST, files.regionId(), outcome.lastSequence());
        return new Manifest(storage, files, state, writer);
    }

    private static LogWriter writeAnew(Storage storage, RegionFiles files, ManifestState state) {
        return LogWriter.create(
                storage,
                files.manifest(),
                LogKind.MANIFEST,
                files.regionId(),
                log -> {
                    append(log, new ManifestRecord.Created(state.region()));
                    append(log, state.snapshot());
                });
    }

    /** Makes a change; it will survive on return. */
    public void append(ManifestRecord manifestRecord) {
        append(writer, manifestRecord);
        writer.force();
        state.apply(manifestRecord);
        if (writer.lastSequence() >= MAX_RECORDS) {
            shorten();
        }
    }

    /** The change before is durable already: if this fails the long log goes on. */
    private void shorten() {
        LogWriter old = writer;
        try {
            writer = writeAnew(storage, files, state);
            old.close();
        } catch (PenstockException e) {
            shortenFailure = e;
        }
    }

    /** Why the log could not be written anew the last time that was tried, if so. */
    public Optional<PenstockException> shortenFailure() {
        return Optional.ofNullable(shortenFailure);
    }

    private static void append(LogWriter writer, ManifestRecord manifestRecord) {
        ByteBuilder payload = new ByteBuilder(512);
        ManifestRecordCodec.put(manifestRecord, payload);
        writer.append(payload.array(), payload.length());
    }

    public RegionDescriptor region() {
        return state.region();
    }

    /** Newest first. */
    public List<LayerDescriptor> layers() {
        return state.layers();
    }

    /** Number of the first write-ahead log that is still needed. */
    public long logFloor() {
        return state.logFloor();
    }

    /** Epoch of the latest load that was installed. */
    public long installedEpoch() {
        return state.installedEpoch();
    }

    /** A sequence for a layer that is about to be made. */
    public long nextSequence() {
        return state.lastSequence() + 1;
    }

    @Override
    public void close() {
        writer.close();
    }
}
