package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.storage.QuietFailures.Upkeep;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/**
 * The durable list of changes that says which layers make up a region: at first records among those
 * of other regions in the server's {@link RegionJournal}, later a file of its own. The region is
 * young until then. Every {@value #MAX_RECORDS} records the file is written anew, as one snapshot,
 * beside the old one and then renamed over it.
 *
 * <p>Changes come under the region's structure lock; {@link #growUp} from writers too.
 */
public final class Manifest implements AutoCloseable {
    private static final int MAX_RECORDS = 256;

    private final Storage storage;
    private final RegionFiles files;
    private final RegionJournal journal;
    private ManifestState state;

    /** Null while the region is young. */
    private @Nullable LogWriter writer;

    private Manifest(
            Storage storage,
            RegionFiles files,
            RegionJournal journal,
            ManifestState state,
            @Nullable LogWriter writer) {
        this.storage = storage;
        this.files = files;
        this.journal = journal;
        this.state = state;
        this.writer = writer;
    }

    /** Creates an empty region; durable after the journal's {@link RegionJournal#force}. */
    public static Manifest create(
            Storage storage, RegionFiles files, RegionJournal journal, RegionDescriptor region) {
        journal.change(files.regionId(), new ManifestRecord.Created(region));
        return young(storage, files, journal);
    }

    private static Manifest young(Storage storage, RegionFiles files, RegionJournal journal) {
        ManifestState state =
                journal.state(files.regionId())
                        .orElseThrow(
                                () -> PenstockException.corrupt(files.manifest() + " is missing"));
        return new Manifest(storage, files, journal, state, null);
    }

    /** Opens what the region's own file says or, if there is none, the journal. */
    public static Manifest open(Storage storage, RegionFiles files, RegionJournal journal) {
        Path path = files.manifest();
        if (!storage.exists(path)) {
            return young(storage, files, journal);
        }
        ManifestState state = new ManifestState();
        LogReader.Outcome outcome =
                LogReader.recover(
                        storage,
                        path,
                        LogKind.MANIFEST,
                        files.regionId(),
                        (sequence, payload) ->
                                state.apply(
                                        read(
                                                journal,
                                                payload,
                                                "record " + sequence + " of " + path)));
        if (outcome.lastSequence() == 0) {
            throw PenstockException.corrupt(path + " does not say what it is the manifest of");
        }
        LogWriter writer =
                LogWriter.resume(
                        storage, path, LogKind.MANIFEST, files.regionId(), outcome.lastSequence());
        try {
            // Only now: what says so must not be on the disk before the manifest's name is.
            journal.grown(files.regionId());
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
        return new Manifest(storage, files, journal, state, writer);
    }

    private static ManifestRecord read(RegionJournal journal, byte[] payload, String name) {
        return journal.schemas().share(ManifestRecordCodec.get(new ByteParser(payload, name)));
    }

    /**
     * Gives the region a file of its own, if it has none; durable on return. To be called before
     * anything else than a load's segments is kept in its folder.
     */
    public synchronized void growUp() {
        if (writer == null) {
            grown();
        }
    }

    private LogWriter grown() {
        storage.makeDirectory(files.directory());
        Path parent = files.directory().getParent();
        if (parent != null) {
            storage.forceDirectory(parent);
        }
        ManifestState own = new ManifestState();
        own.apply(new ManifestRecord.Created(state.region()));
        own.apply(state.snapshot());
        LogWriter created = writeAnew(storage, files, own);
        state = own;
        writer = created;
        journal.grown(files.regionId());
        journal.force();
        return created;
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

    /**
     * Makes a change. It will survive on return, except that a young region's load is installed for
     * certain only after the journal's {@link RegionJournal#force}.
     */
    public synchronized void append(ManifestRecord manifestRecord) {
        LogWriter own = writer;
        if (own == null && manifestRecord instanceof ManifestRecord.Installed) {
            journal.change(files.regionId(), manifestRecord);
            return;
        }
        if (own == null) {
            own = grown();
        }
        append(own, manifestRecord);
        own.force();
        state.apply(manifestRecord);
        if (own.lastSequence() >= MAX_RECORDS) {
            shorten(own);
        }
    }

    /** The change before is durable already: if this fails the long log goes on. */
    private void shorten(LogWriter old) {
        storage.quietFailures()
                .attempt(
                        Upkeep.SHORTEN,
                        files.manifest(),
                        () -> {
                            writer = writeAnew(storage, files, state);
                            old.close();
                        });
    }

    private static void append(LogWriter writer, ManifestRecord manifestRecord) {
        ByteBuilder payload = new ByteBuilder(512);
        ManifestRecordCodec.put(manifestRecord, payload);
        writer.append(payload.array(), payload.length());
    }

    /**
     * How many records the region's own file has, written or forced: one that fails to append and
     * leaves this as it was has left nothing.
     */
    public synchronized long records() {
        return writer == null ? 0 : writer.lastSequence();
    }

    public synchronized RegionDescriptor region() {
        return state.region();
    }

    /** Newest first. */
    public synchronized List<LayerDescriptor> layers() {
        return state.layers();
    }

    /** Number of the first write-ahead log that is still needed. */
    public synchronized long logFloor() {
        return state.logFloor();
    }

    /** Epoch of the latest load that was installed. */
    public synchronized long installedEpoch() {
        return state.installedEpoch();
    }

    /** A sequence for a layer that is about to be made. */
    public synchronized long nextSequence() {
        return state.lastSequence() + 1;
    }

    /** Removes all that says that the region exists; for certain once the journal is forced. */
    public synchronized void drop() {
        if (writer != null) {
            storage.delete(files.manifest());
            storage.forceDirectory(files.directory());
        }
        journal.dropped(files.regionId());
    }

    @Override
    public synchronized void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
