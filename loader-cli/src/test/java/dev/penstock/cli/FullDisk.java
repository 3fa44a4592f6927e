package dev.penstock.cli;

import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.LocalFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The disks of this computer, full from the n-th call that needs room: creating a file, writing to
 * one, or forcing one, which is when some file systems look for room. Thread-safe.
 */
final class FullDisk implements LocalDisk {
    static final String FULL = "No space left on device";

    private final int fullFrom;
    private final boolean half;

    // Guarded by this
    private final List<Path> temporary = new ArrayList<>();
    private int open;
    private int calls;

    /**
     * @param fullFrom number of the first call that fails, or zero for none
     * @param half whether the first write that fails has written half of its bytes
     */
    FullDisk(int fullFrom, boolean half) {
        this.fullFrom = fullFrom;
        this.half = half;
    }

    synchronized int calls() {
        return calls;
    }

    synchronized boolean isFull() {
        return fullFrom > 0 && calls >= fullFrom;
    }

    synchronized int openFiles() {
        return open;
    }

    /** Temporary files that are still there. */
    synchronized List<Path> leftOver() {
        return temporary.stream().filter(Files::exists).toList();
    }

    private synchronized boolean call() {
        calls++;
        return isFull();
    }

    private synchronized boolean isFirst() {
        return calls == fullFrom;
    }

    @Override
    public LocalFile create(Path file) throws IOException {
        if (call()) {
            throw new FileSystemException(file.toString(), null, FULL);
        }
        return opened(SYSTEM.create(file));
    }

    @Override
    public LocalFile createTemporary(Path folder, String prefix, String suffix) throws IOException {
        if (call()) {
            throw new FileSystemException(folder.resolve(prefix).toString(), null, FULL);
        }
        LocalFile file = opened(SYSTEM.createTemporary(folder, prefix, suffix));
        synchronized (this) {
            temporary.add(file.path());
        }
        return file;
    }

    private synchronized LocalFile opened(LocalFile file) {
        open++;
        return new Limited(file);
    }

    private synchronized void closed() {
        open--;
    }

    /** A file on this disk. */
    private final class Limited implements LocalFile {
        private final LocalFile file;
        private boolean isClosed;

        Limited(LocalFile file) {
            this.file = file;
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            if (call()) {
                if (half && isFirst()) {
                    file.write(bytes, offset, count / 2);
                }
                throw new IOException(FULL);
            }
            file.write(bytes, offset, count);
        }

        @Override
        public void read(ByteBuffer target, long position) throws IOException {
            file.read(target, position);
        }

        @Override
        public void force() throws IOException {
            if (call()) {
                throw new IOException(FULL);
            }
            file.force();
        }

        @Override
        public void close() throws IOException {
            if (!isClosed) {
                isClosed = true;
                closed();
            }
            file.close();
        }
    }
}
