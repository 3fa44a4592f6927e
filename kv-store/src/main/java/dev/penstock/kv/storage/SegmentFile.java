package dev.penstock.kv.storage;

import dev.penstock.batch.ColumnSums;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSource;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * An open segment file, counted: it is unmapped when the last owner lets go of it, and deleted then
 * if it was doomed before. Thread-safe.
 */
public final class SegmentFile {
    private final Storage storage;
    private final Path path;
    private final MappedFile file;
    private final SegmentReader reader;
    private final ColumnSums sums;
    private int owners = 1;
    private boolean doomed;
    private @Nullable PenstockException deleteFailure;

    private SegmentFile(
            Storage storage, Path path, MappedFile file, SegmentReader reader, ColumnSums sums) {
        this.storage = storage;
        this.path = path;
        this.file = file;
        this.reader = reader;
        this.sums = sums;
    }

    /**
     * Opens a segment and checks that it is the one that is meant; the caller is its first owner.
     *
     * @param region keys that may be in it
     */
    public static SegmentFile open(
            Storage storage,
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
                                + file.bytes().byteSize()
                                + " bytes where the manifest says "
                                + descriptor.bytes());
            }
            Mapped source = new Mapped(storage, path, file.bytes());
            SegmentReader reader =
                    SegmentReader.open(schema, source, path.toString(), TokenTables.NONE);
            source.opened = true;
            if (!reader.identity().equals(identity)
                    || reader.rowCount() != descriptor.rowCount()
                    || !reader.sorted()
                    || !region.contains(reader.firstKey())
                    || !region.contains(reader.lastKey())) {
                throw PenstockException.corrupt(path + " is another segment than it should be");
            }
            return new SegmentFile(storage, path, file, reader, descriptor.sums());
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    public SegmentReader reader() {
        return reader;
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
        return Arrays.compareUnsigned(reader.lastKey(), range.start()) >= 0
                && (range.end().length == 0
                        || Arrays.compareUnsigned(reader.firstKey(), range.end()) < 0);
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
            file.close();
            if (doomed) {
                delete();
            }
        }
    }

    /** If that fails the next start finds that nobody needs the file; others are let go of now. */
    private void delete() {
        try {
            storage.delete(path);
        } catch (PenstockException e) {
            deleteFailure = e;
        }
    }

    /** Why the file is still there although nobody needs it, if so. */
    public synchronized Optional<PenstockException> deleteFailure() {
        return Optional.ofNullable(deleteFailure);
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
        private boolean opened;

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
            if (opened) {
                MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, offset, target, 0, target.length);
            } else {
                storage.read(path, offset, target);
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
