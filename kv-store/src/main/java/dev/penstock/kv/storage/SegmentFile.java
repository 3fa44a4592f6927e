package dev.penstock.kv.storage;

import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.MemoryCopy;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.QuietFailures.Upkeep;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSource;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * An open segment file, counted: it is unmapped when the last owner lets go of it, and deleted then
 * if it was doomed before. Thread-safe.
 */
public final class SegmentFile {
    private final Storage storage;
    private final Path path;
    private final MappedFile file;
    private final OpenSegments all;
    private final Supplier<SegmentReader> openReader;
    private final byte[] firstKey;
    private final byte[] lastKey;
    private final ColumnSums sums;

    /** As long as anybody uses it, or there is room, all share one. */
    private volatile WeakReference<SegmentReader> lastReader;

    private int owners = 1;
    private boolean doomed;

    private SegmentFile(
            Storage storage,
            Path path,
            MappedFile file,
            OpenSegments all,
            Supplier<SegmentReader> openReader,
            SegmentReader first,
            ColumnSums sums) {
        this.storage = storage;
        this.path = path;
        this.file = file;
        this.all = all;
        this.openReader = openReader;
        this.firstKey = first.firstKey();
        this.lastKey = first.lastKey();
        this.sums = sums;
        this.lastReader = new WeakReference<>(first);
        all.opened(this, first);
    }

    /**
     * Opens a segment and checks that it is the one that is meant; the caller is its first owner.
     *
     * @param all of the server, which this one will be among until it is closed
     * @param region keys that may be in it
     */
    public static SegmentFile open(
            Storage storage,
            OpenSegments all,
            Path path,
            TableSchema schema,
            SegmentDescriptor descriptor,
            SegmentIdentity identity,
            KeyRange region) {
        if (!storage.exists(path)) {
            throw PenstockException.corrupt(path + " is missing");
        }
        MappedFile file = storage.map(path);
        try {
            if (file.bytes().byteSize() != descriptor.bytes()) {
                throw PenstockException.corrupt(
                        path
                                + " has "
                                + Counted.of(file.bytes().byteSize(), "byte")
                                + " where the manifest says "
                                + descriptor.bytes());
            }
            Mapped source = new Mapped(storage, path, file.bytes());
            Supplier<SegmentReader> open =
                    () -> SegmentReader.open(schema, source, path.toString(), TokenTables.NONE);
            SegmentReader reader = open.get();
            source.opened = true;
            if (!reader.identity().equals(identity)
                    || reader.rowCount() != descriptor.rowCount()
                    || !reader.sorted()
                    || !region.contains(reader.firstKey())
                    || !region.contains(reader.lastKey())) {
                throw PenstockException.corrupt(path + " is another segment than it should be");
            }
            return new SegmentFile(storage, path, file, all, open, reader, descriptor.sums());
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /**
     * A reader of the file, which only owners may ask for and use. Whoever needs it more than once
     * keeps it: it may have to be read from the file.
     *
     * @throws PenstockException if that cannot be read
     */
    public SegmentReader reader() {
        SegmentReader reader = lastReader.get();
        if (reader == null) {
            reader = openReader.get();
            lastReader = new WeakReference<>(reader);
        }
        all.used(this, reader);
        return reader;
    }

    /** Encoded key of the first row; not to be changed. */
    public byte[] firstKey() {
        return firstKey;
    }

    /** Encoded key of the last row; not to be changed. */
    public byte[] lastKey() {
        return lastKey;
    }

    /** See {@link SegmentDescriptor#sums}. */
    public ColumnSums sums() {
        return sums;
    }

    public Path path() {
        return path;
    }

    /** Whether keys of the segment's extent are in the range. */
    public boolean overlaps(KeyRange range) {
        return Arrays.compareUnsigned(lastKey, range.start()) >= 0
                && (range.end().length == 0 || Arrays.compareUnsigned(firstKey, range.end()) < 0);
    }

    /** Adds an owner. */
    public synchronized void retain() {
        if (owners == 0) {
            throw new IllegalStateException(path + " is closed");
        }
        owners++;
    }

    /** Lets go; the last owner closes. */
    public synchronized void release() {
        owners--;
        if (owners == 0) {
            all.closed(this);
            file.close();
            if (doomed) {
                // If that fails the next start finds that nobody needs the file.
                storage.quietFailures().attempt(Upkeep.DELETE, path, () -> storage.delete(path));
            }
        }
    }

    /** Has the file deleted when the last owner lets go. */
    public synchronized void doom() {
        doomed = true;
    }

    /**
     * Mapped bytes. While the file is opened its ends are read without what lies around them, which
     * nobody may ask for soon; later whatever becomes of the name does not matter.
     */
    private static final class Mapped implements SegmentSource {
        private final Storage storage;
        private final Path path;
        private final MemorySegment bytes;
        private volatile boolean opened;

        Mapped(Storage storage, Path path, MemorySegment bytes) {
            this.storage = storage;
            this.path = path;
            this.bytes = bytes;
        }

        @Override
        public long byteSize() {
            return bytes.byteSize();
        }

        @Override
        public void copyEnd(long offset, byte[] target) {
            if (!opened) {
                storage.read(path, offset, target);
                return;
            }
            try {
                MemoryCopy.read(bytes, offset, target);
            } catch (InternalError e) {
                throw SegmentReader.unreadable(path.toString(), e);
            }
        }

        @Override
        public MemorySegment bytes() {
            return bytes;
        }

        @Override
        public void letGo() {}
    }
}
