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
import java.util.concurrent.Semaphore;

/**
 * What all bulk files of a storage share: buffers, which are kept for the next file, and the
 * threads that bring full ones to the disk, which end when they have nothing to do. Thread-safe.
 */
final class BulkWrites {
    /** Large enough for the disk's full speed. */
    static final int BUFFER_BYTES = 1 << 20;

    /** While the disk is forced it takes no writes: so much is worked on meanwhile. */
    private static final int MAX_SPARE_BUFFERS = 32;

    private static final int MAX_IDLE_BUFFERS = 8;
    private static final int THREADS = 2;

    private final DiskState disk;
    private final ConcurrentLinkedDeque<ByteBuffer> idle = new ConcurrentLinkedDeque<>();
    private final ExecutorService writers = BriefThreads.of("penstock-write", THREADS);
    private final ExecutorService forcer = BriefThreads.of("penstock-force", 1);
    private final int maxIdle;
    private final Semaphore spare;

    BulkWrites(DiskState disk) {
        this(disk, spareBuffers());
    }

    /**
     * @param spareBuffers how many buffers may be on their way to the disk beyond one of each file
     */
    BulkWrites(DiskState disk, int spareBuffers) {
        this.disk = disk;
        this.maxIdle = MAX_IDLE_BUFFERS + spareBuffers;
        this.spare = new Semaphore(spareBuffers);
    }

    /** A thirty-second of the heap, though they are not of it. */
    private static int spareBuffers() {
        long share = Runtime.getRuntime().maxMemory() / 32 / BUFFER_BYTES;
        return Math.clamp(share, 0, MAX_SPARE_BUFFERS);
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
        if (idle.size() < maxIdle) {
            idle.addFirst(buffer);
        }
    }

    /** Whether a file may have one more buffer on its way to the disk than its own. */
    boolean takeSpare() {
        return spare.tryAcquire();
    }

    /** How many more times {@link #takeSpare} would say yes now. */
    int spareLeft() {
        return spare.availablePermits();
    }

    void giveBackSpare() {
        spare.release();
    }

    /** Writes in the background; the buffer must not be touched until that is done. */
    Future<?> write(FileChannel channel, ByteBuffer buffer, long position) {
        return writers.submit(() -> {
            DirectAccess.write(channel, buffer, position);
            return null;
        });
    }

    /**
     * Forces in the background what has reached the disk; the channel must stay open until then.
     */
    Future<?> force(Path file, FileChannel channel) {
        return forcer.submit(() -> disk.force(file, channel));
    }
}
