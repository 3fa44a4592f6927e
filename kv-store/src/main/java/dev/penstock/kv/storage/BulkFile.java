package dev.penstock.kv.storage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * A file that is appended to through two buffers in turns: while one is filled the other goes to
 * the disk. Full buffers are whole blocks and can bypass the page cache; the rest of the file's end
 * is written by {@link #force} in the ordinary way, so that its length is right at any time.
 */
final class BulkFile implements StorageFile {
    private final Path path;
    private final FileChannel channel;
    private final DiskState disk;
    private final BulkWrites shared;
    private @Nullable FileChannel blocks;

    /** Bytes in full buffers that were handed over. */
    private long handedOver;

    private @Nullable ByteBuffer filling;
    private @Nullable ByteBuffer writing;
    private @Nullable Future<?> write;
    private boolean restWritten = true;
    private boolean failed;
    private boolean closed;

    BulkFile(Path path, FileChannel channel, DiskState disk, BulkWrites shared) {
        this.path = path;
        this.channel = channel;
        this.disk = disk;
        this.shared = shared;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        disk.checkHealthy();
        restWritten = false;
        int from = offset;
        int left = length;
        while (left > 0) {
            ByteBuffer buffer = filling();
            int count = Math.min(left, buffer.remaining());
            buffer.put(bytes, from, count);
            from += count;
            left -= count;
            if (!buffer.hasRemaining()) {
                handOver(buffer);
            }
        }
    }

    private ByteBuffer filling() {
        ByteBuffer buffer = filling;
        if (buffer == null) {
            buffer = shared.takeBuffer();
            filling = buffer;
        }
        return buffer;
    }

    private void handOver(ByteBuffer full) {
        awaitWrite();
        filling = null;
        writing = full.flip();
        write = shared.write(blocks(), full, handedOver);
        handedOver += BulkWrites.BUFFER_BYTES;
    }

    private FileChannel blocks() {
        FileChannel open = blocks;
        if (open == null) {
            try {
                open = DirectAccess.open(path).orElse(channel);
            } catch (IOException e) {
                throw DiskState.failed("open", path, e);
            }
            blocks = open;
        }
        return open;
    }

    /** Waits until nothing is being written. */
    private void awaitWrite() {
        Future<?> running = write;
        ByteBuffer buffer = writing;
        if (running == null || buffer == null) {
            return;
        }
        write = null;
        writing = null;
        try {
            awaitUninterrupted(running);
        } catch (ExecutionException e) {
            failed = true;
            IOException cause =
                    e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
            throw DiskState.failed("write to", path, cause);
        } finally {
            shared.giveBack(buffer);
        }
    }

    private static void awaitUninterrupted(Future<?> running) throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    running.get();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public long position() {
        ByteBuffer buffer = filling;
        return handedOver + (buffer == null ? 0 : buffer.position());
    }

    @Override
    public void force() {
        disk.checkHealthy();
        awaitWrite();
        writeRest();
        disk.force(path, channel);
    }

    private void writeRest() {
        ByteBuffer rest = filling;
        if (rest == null || restWritten) {
            return;
        }
        try {
            DirectAccess.write(channel, rest.duplicate().flip(), handedOver);
            restWritten = true;
        } catch (IOException e) {
            failed = true;
            throw DiskState.failed("write to", path, e);
        }
    }

    /** Blocks that go past the page cache have no use for zeros. */
    @Override
    public void reserve(int bytes) {}

    @Override
    public void cutBack(long position) {
        throw new UnsupportedOperationException(path + " cannot be cut back");
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            awaitWrite();
            if (!failed) {
                writeRest();
            }
        } finally {
            closeAll();
        }
    }

    private void closeAll() {
        ByteBuffer rest = filling;
        filling = null;
        if (rest != null) {
            shared.giveBack(rest);
        }
        FileChannel open = blocks;
        try {
            if (open != null) {
                open.close();
            }
            channel.close();
        } catch (IOException e) {
            throw DiskState.failed("close", path, e);
        }
    }
}
