package dev.penstock.kv.storage;

import dev.penstock.error.PenstockException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A storage that fails when told to. It does not wait for the disk: nothing is really forced. */
public final class FaultyStorage implements Storage {
    private final Storage inner;
    private int writeBytesLeft = Integer.MAX_VALUE;
    private boolean forcesFail;

    /** Counts down with each changing call; at 0 that call fails, once. */
    private long callsLeft = Long.MAX_VALUE;

    private long calls;
    private boolean stopping;

    public FaultyStorage(Storage inner) {
        this.inner = inner;
    }

    /** The next write stores only so many bytes and then fails; later ones work. */
    public void failWriteAfter(int bytes) {
        writeBytesLeft = bytes;
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
        return new FaultyFile(inner.create(file));
    }

    @Override
    public StorageFile append(Path file) {
        count();
        return new FaultyFile(inner.append(file));
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
    public void rename(Path from, Path to) {
        count();
        inner.rename(from, to);
    }

    @Override
    public void delete(Path file) {
        count();
        inner.delete(file);
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
    public void forceDirectory(Path directory) {
        force();
    }

    @Override
    public long freeBytes(Path directory) {
        return inner.freeBytes(directory);
    }

    private final class FaultyFile implements StorageFile {
        private final StorageFile file;

        FaultyFile(StorageFile file) {
            this.file = file;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
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
            FaultyStorage.this.force();
        }

        @Override
        public void cutBack(long position) {
            file.cutBack(position);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
