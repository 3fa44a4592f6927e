package dev.penstock.kv.storage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file of the machine, open for appending. Java closes the channel of a thread that is
 * interrupted while it writes or forces, under all others that use it. In an embedded store that
 * may be any thread of the program, while the file is a log that the whole store depends on: so
 * what was under way is done once more through a channel that is opened anew, and the thread stays
 * interrupted.
 *
 * <p>Owned by whoever opened it, until {@link #close}. One thread at a time appends and cuts back;
 * others may force meanwhile.
 */
final class NioFile implements StorageFile {
    /** What one write call is given, so that the JVM's temporary direct buffers stay small. */
    static final int WRITE_BYTES = 1 << 20;

    /** Something that may be done twice. */
    private interface Action {
        void run(FileChannel open) throws IOException;
    }

    private final DiskState disk;

    /** Tells the file from another one that has taken its name; null where there is no such key. */
    private final @Nullable Object key;

    private long position;

    // Changed under the lock of this object
    private volatile Path path;
    private volatile FileChannel channel;
    private boolean closed;

    private NioFile(Path path, FileChannel channel, DiskState disk) throws IOException {
        this.path = path;
        this.channel = channel;
        this.disk = disk;
        this.key = key(path);
        this.position = channel.size();
    }

    static NioFile open(Path path, DiskState disk, OpenOption... options) throws IOException {
        FileChannel channel = FileChannel.open(path, options);
        try {
            return new NioFile(path, channel, disk);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        disk.checkHealthy();
        long start = position;
        run(
                "write to",
                open -> {
                    for (int done = 0; done < length; ) {
                        int count = Math.min(WRITE_BYTES, length - done);
                        done +=
                                open.write(
                                        ByteBuffer.wrap(bytes, offset + done, count), start + done);
                    }
                });
        position = start + length;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void force() {
        disk.checkHealthy();
        run("force", open -> disk.forceOpen(path, open));
    }

    @Override
    public void reserve(int bytes) {
        long start = position;
        try {
            tryAll(open -> {
                ByteBuffer zeros = ByteBuffer.allocate(bytes);
                while (zeros.hasRemaining()) {
                    open.write(zeros, start + zeros.position());
                }
            });
        } catch (IOException e) {
            // A full disk, maybe: the bytes themselves may still fit, and say so if not.
            cutBack(start);
        }
    }

    @Override
    public void cutBack(long length) {
        run("cut", open -> open.truncate(length));
        position = length;
    }

    @Override
    public synchronized void renamed(Path newPath) {
        path = newPath;
    }

    private void run(String verb, Action action) {
        try {
            tryAll(action);
        } catch (IOException e) {
            throw DiskState.failed(verb, path, e);
        }
    }

    /** Does it until no interrupt has come between, of this thread or of another one. */
    private void tryAll(Action action) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            FileChannel open = channel;
            while (true) {
                try {
                    action.run(open);
                    return;
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    open = openAgain(open, e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized FileChannel openAgain(FileChannel gone, ClosedChannelException why)
            throws IOException {
        if (closed || key == null) {
            throw why;
        }
        if (channel.equals(gone)) {
            FileChannel again = FileChannel.open(path, StandardOpenOption.WRITE);
            if (!key.equals(key(path))) {
                again.close();
                throw new NoSuchFileException(path.toString());
            }
            channel = again;
        }
        return channel;
    }

    @Override
    public synchronized void close() {
        closed = true;
        try {
            channel.close();
        } catch (IOException e) {
            throw DiskState.failed("close", path, e);
        }
    }
}
