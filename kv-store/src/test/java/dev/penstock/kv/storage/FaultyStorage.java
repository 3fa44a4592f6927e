package dev.penstock.kv.storage;

import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A storage that fails when told to. It does not wait for the disk: nothing is really forced, but
 * it notes what would have been, and {@link #loseUnforced} takes back everything else, as a power
 * cut may: bytes written, and names created, changed and deleted.
 */
public final class FaultyStorage implements Storage {
    private final Storage inner;
    private int writeBytesLeft = Integer.MAX_VALUE;
    private boolean forcesFail;

    /** Counts down with each changing call; at 0 that call fails, once. */
    private long callsLeft = Long.MAX_VALUE;

    private long calls;
    private boolean stopping;
    private boolean doneNevertheless;
    private boolean closesFail;
    private int closedFiles;

    private final Map<Path, AtomicLong> forcedLengths = new ConcurrentHashMap<>();
    private final List<Undo> undos = new ArrayList<>();
    private final @Nullable Path trash;
    private int trashCount;

    /** One that cannot lose what is not forced. */
    public FaultyStorage(Storage inner) {
        this.inner = inner;
        this.trash = null;
    }

    /**
     * @param trash an existing folder for files that are deleted and could come back
     */
    public FaultyStorage(Storage inner, Path trash) {
        this.inner = inner;
        this.trash = trash;
    }

    /** The next write stores only so many bytes and then fails; later ones work. */
    public void failWriteAfter(int bytes) {
        writeBytesLeft = bytes;
    }

    /**
     * The n-th changing call from now is to be a write to a file: it stores everything and fails
     * nevertheless, and cannot be undone.
     */
    public void failAfterWrite(long n) {
        failCall(n);
        doneNevertheless = true;
    }

    /** Files are closed, and say then that something could not be written. */
    public void failCloses() {
        closesFail = true;
    }

    /** How many files were closed. */
    public int closedFiles() {
        return closedFiles;
    }

    public void failForces() {
        forcesFail = true;
    }

    /** The n-th changing call from now fails before it does anything, 1 = the next. */
    public void failCall(long n) {
        callsLeft = n;
    }

    /** The n-th changing call from now and all later ones fail, as if the machine had stopped. */
    public void stopAtCall(long n) {
        callsLeft = n;
        stopping = true;
    }

    /** Takes back whatever has not been forced; files must be closed. */
    public synchronized void loseUnforced() throws IOException {
        for (Undo undo : undos.reversed()) {
            undo.action().run();
        }
        undos.clear();
        for (Map.Entry<Path, AtomicLong> file : forcedLengths.entrySet()) {
            long forced = file.getValue().get();
            if (Files.exists(file.getKey()) && Files.size(file.getKey()) > forced) {
                inner.truncate(file.getKey(), forced);
            }
        }
    }

    /** How to take back a change in a folder that has not been forced since. */
    private record Undo(@Nullable Path directory, Runnable action) {}

    private synchronized void undoable(Path file, Runnable action) {
        undos.add(new Undo(file.getParent(), action));
    }

    private synchronized void forgetUndos(Path directory) {
        undos.removeIf(undo -> directory.equals(undo.directory()));
    }

    /** Brings a file back, unless its whole folder is gone. */
    private void putBack(Path aside, Path file) {
        Path directory = file.getParent();
        if (directory != null && inner.exists(directory)) {
            inner.rename(aside, file);
        }
    }

    /** Keeps what a name stood for, if anything and if there is a place for it. */
    private synchronized @Nullable Path keepAside(Path file) {
        if (trash == null || !inner.exists(file)) {
            return null;
        }
        trashCount++;
        Path aside = trash.resolve("file-" + trashCount);
        inner.rename(file, aside);
        return aside;
    }

    /** Changing calls so far. */
    public long calls() {
        return calls;
    }

    private synchronized void count() {
        calls++;
        callsLeft--;
        if (callsLeft == 0 || (stopping && callsLeft < 0)) {
            throw PenstockException.io("injected fault", new IOException("injected fault"));
        }
    }

    private void force() {
        count();
        if (forcesFail) {
            throw PenstockException.io("injected fault", new IOException("Input/output error"));
        }
    }

    @Override
    public StorageFile create(Path file) {
        count();
        return watched(file, inner.create(file));
    }

    @Override
    public StorageFile createBulk(Path file) {
        count();
        return watched(file, inner.createBulk(file));
    }

    private StorageFile watched(Path file, StorageFile created) {
        AtomicLong forcedLength = new AtomicLong();
        forcedLengths.put(file, forcedLength);
        undoable(file, () -> inner.delete(file));
        return new FaultyFile(forcedLength, created);
    }

    @Override
    public BlockFile createBlocks(Path file) {
        count();
        BlockFile created = inner.createBlocks(file);
        undoable(file, () -> inner.delete(file));
        return new FaultyBlockFile(created);
    }

    @Override
    public StorageFile append(Path file) {
        count();
        AtomicLong forcedLength =
                forcedLengths.computeIfAbsent(file, path -> new AtomicLong(inner.size(path)));
        return new FaultyFile(forcedLength, inner.append(file));
    }

    @Override
    public byte[] read(Path file, int maxBytes) {
        return inner.read(file, maxBytes);
    }

    @Override
    public MappedFile map(Path file) {
        return inner.map(file);
    }

    @Override
    public long size(Path file) {
        return inner.size(file);
    }

    @Override
    public boolean exists(Path file) {
        return inner.exists(file);
    }

    @Override
    public void truncate(Path file, long length) {
        count();
        inner.truncate(file, length);
    }

    @Override
    public void rewrite(Path file, long from, long to) {
        force();
        inner.rewrite(file, from, to);
        forcedLengths
                .computeIfAbsent(file, path -> new AtomicLong())
                .accumulateAndGet(to, Math::max);
    }

    @Override
    public void rename(Path from, Path to) {
        count();
        Path old = keepAside(to);
        inner.rename(from, to);
        AtomicLong forced = forcedLengths.remove(from);
        if (forced != null) {
            forcedLengths.put(to, forced);
        }
        undoable(
                to,
                () -> {
                    inner.delete(to);
                    if (old != null) {
                        putBack(old, to);
                    }
                });
        forceDirectory(to.resolveSibling(""));
    }

    @Override
    public void delete(Path file) {
        count();
        Path aside = keepAside(file);
        inner.delete(file);
        if (aside != null) {
            undoable(file, () -> putBack(aside, file));
        }
    }

    @Override
    public void deleteTree(Path directory) {
        count();
        inner.deleteTree(directory);
    }

    @Override
    public List<Path> list(Path directory) {
        return inner.list(directory);
    }

    @Override
    public void createDirectories(Path directory) {
        count();
        inner.createDirectories(directory);
    }

    @Override
    public void makeDirectory(Path directory) {
        count();
        if (!inner.exists(directory)) {
            inner.makeDirectory(directory);
            undoable(directory, () -> inner.deleteTree(directory));
        }
    }

    @Override
    public void forceDirectory(Path directory) {
        force();
        forgetUndos(directory);
    }

    @Override
    public QuietFailures quietFailures() {
        return inner.quietFailures();
    }

    @Override
    public long freeBytes(Path directory) {
        return inner.freeBytes(directory);
    }

    private final class FaultyFile implements StorageFile {
        private final AtomicLong forcedLength;
        private final StorageFile file;

        FaultyFile(AtomicLong forcedLength, StorageFile file) {
            this.forcedLength = forcedLength;
            this.file = file;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            if (doneNevertheless && callsLeft == 1) {
                file.write(bytes, offset, length);
            }
            count();
            if (writeBytesLeft < length) {
                file.write(bytes, offset, writeBytesLeft);
                writeBytesLeft = Integer.MAX_VALUE;
                throw PenstockException.io(
                        "cannot write: No space left on device",
                        new IOException("No space left on device"));
            }
            file.write(bytes, offset, length);
        }

        @Override
        public long position() {
            return file.position();
        }

        @Override
        public void force() {
            long length = file.position();
            FaultyStorage.this.force();
            forcedLength.set(length);
        }

        @Override
        public void reserve(int bytes) {
            file.reserve(bytes);
        }

        @Override
        public void renamed(Path path) {
            file.renamed(path);
        }

        @Override
        public void cutBack(long position) {
            if (doneNevertheless && callsLeft <= 0) {
                throw PenstockException.io("injected fault", new IOException("injected fault"));
            }
            file.cutBack(position);
        }

        @Override
        public void close() {
            file.close();
            closedFiles++;
            if (closesFail) {
                throw PenstockException.io("injected fault", new IOException("injected fault"));
            }
        }
    }

    private final class FaultyBlockFile implements BlockFile {
        private final BlockFile file;

        FaultyBlockFile(BlockFile file) {
            this.file = file;
        }

        @Override
        public void write(long position, MemorySegment blocks) {
            count();
            if (writeBytesLeft < blocks.byteSize()) {
                writeBytesLeft = Integer.MAX_VALUE;
                throw PenstockException.io(
                        "cannot write: No space left on device",
                        new IOException("No space left on device"));
            }
            file.write(position, blocks);
        }

        @Override
        public void read(long position, MemorySegment target) {
            file.read(position, target);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
