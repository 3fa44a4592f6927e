package dev.penstock.kv.storage;

import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * A file that is appended to through buffers in turns: while one is filled others go to the disk,
 * more of them while the disk is busy with something else and there is room. Full buffers are whole
 * blocks and can bypass the page cache; the rest of the file's end is written by {@link #force} in
 * the ordinary way, so that its length is right at any time.
 */
final class BulkFile implements StorageFile {
    /** Forced so often on the way, a file's end has to wait for little. */
    private static final long FORCE_EVERY_BYTES = 16L * BulkWrites.BUFFER_BYTES;

    private final Path path;
    private final FileChannel channel;
    private final DiskState disk;
    private final BulkWrites shared;
    private @Nullable FileChannel blocks;

    /** Bytes in full buffers that were handed over. */
    private long handedOver;

    private @Nullable ByteBuffer filling;

    /** Handed over and not yet known to be written, the oldest first. */
    private final ArrayDeque<Write> writes = new ArrayDeque<>();

    /** What fails here makes the disk a failed one, which every later call tells. */
    private Future<?> earlyForce = CompletableFuture.completedFuture(null);

    private boolean restWritten = true;
    private @Nullable PenstockException failure;
    private boolean closed;

    private record Write(ByteBuffer buffer, Future<?> end) {}

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
        checkWritten();
        FileChannel open = blocks();
        awaitRoom();
        writes.addLast(new Write(full, begin(open, full)));
        filling = null;
        handedOver += BulkWrites.BUFFER_BYTES;
        if (handedOver % FORCE_EVERY_BYTES == 0 && earlyForce.isDone()) {
            earlyForce = shared.force(path, channel);
        }
    }

    /** Without a thread for it the buffer stays what is filled, and the room is given back. */
    private Future<?> begin(FileChannel open, ByteBuffer full) {
        try {
            return shared.write(open, full.duplicate().flip(), handedOver);
        } catch (RuntimeException | Error e) {
            if (!writes.isEmpty()) {
                shared.giveBackSpare();
            }
            throw e;
        }
    }

    /**
     * One write at a time is this file's own; more of them need spare room, while there is some.
     */
    private void awaitRoom() {
        while (!writes.isEmpty() && (writes.getFirst().end().isDone() || !shared.takeSpare())) {
            awaitOldest();
        }
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
    private void awaitWrites() {
        while (!writes.isEmpty()) {
            awaitOldest();
        }
    }

    private void awaitOldest() {
        Write oldest = writes.removeFirst();
        try {
            awaitUninterrupted(oldest.end());
        } catch (ExecutionException e) {
            IOException cause =
                    e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
            fail(DiskState.failed("write to", path, cause));
        } finally {
            shared.giveBack(oldest.buffer());
            if (!writes.isEmpty()) {
                shared.giveBackSpare();
            }
        }
    }

    /** The first failure is the one to tell. */
    private void fail(PenstockException next) {
        if (failure == null) {
            failure = next;
        }
    }

    /** What is in the file has a hole from the first failure on. */
    private void checkWritten() {
        PenstockException first = failure;
        if (first != null) {
            throw first;
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

    /** Whoever closes a channel that is being forced would make the force fail. */
    private void awaitEarlyForce() {
        try {
            awaitUninterrupted(earlyForce);
        } catch (ExecutionException e) {
            fail(
                    e.getCause() instanceof PenstockException known
                            ? known
                            : PenstockException.io("cannot force " + path, e));
        }
    }

    @Override
    public long position() {
        ByteBuffer buffer = filling;
        return handedOver + (buffer == null ? 0 : buffer.position());
    }

    @Override
    public void force() {
        awaitWrites();
        awaitEarlyForce();
        disk.checkHealthy();
        checkWritten();
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
            PenstockException told = DiskState.failed("write to", path, e);
            fail(told);
            throw told;
        }
    }

    /** Blocks that go past the page cache have no use for zeros. */
    @Override
    public void reserve(int bytes) {}

    /** It is written once and then read by name, so nobody opens it again here. */
    @Override
    public void renamed(Path newPath) {}

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
        boolean told = failure != null;
        try {
            awaitWrites();
            awaitEarlyForce();
            if (!told) {
                checkWritten();
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
