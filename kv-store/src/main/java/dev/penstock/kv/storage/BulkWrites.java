package dev.penstock.kv.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What all bulk files of a storage share: buffers, which are kept for the next file, and the
 * threads that bring full ones to the disk, which end when they have nothing to do. Thread-safe.
 */
final class BulkWrites {
    /** Large enough for the disk's full speed. */
    static final int BUFFER_BYTES = 1 << 20;

    private static final int MAX_IDLE_BUFFERS = 8;
    private static final int THREADS = 2;

    private final DiskState disk;
    private final ConcurrentLinkedDeque<ByteBuffer> idle = new ConcurrentLinkedDeque<>();
    private final ExecutorService threads = threads();

    BulkWrites(DiskState disk) {
        this.disk = disk;
    }

    private static ExecutorService threads() {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        1,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().name("penstock-write-", 0).daemon().factory());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    BulkFile create(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new BulkFile(file, channel, disk, this);
    }

    ByteBuffer takeBuffer() {
        ByteBuffer buffer = idle.pollFirst();
        if (buffer != null) {
            return buffer.clear();
        }
        return Arena.ofAuto().allocate(BUFFER_BYTES, BlockFile.BLOCK_BYTES).asByteBuffer();
    }

    void giveBack(ByteBuffer buffer) {
        if (idle.size() < MAX_IDLE_BUFFERS) {
            idle.addFirst(buffer);
        }
    }

    /** Writes in the background; the buffer must not be touched until that is done. */
    Future<?> write(FileChannel channel, ByteBuffer buffer, long position) {
        return threads.submit(() -> {
            DirectAccess.write(channel, buffer, position);
            return null;
        });
    }
}
