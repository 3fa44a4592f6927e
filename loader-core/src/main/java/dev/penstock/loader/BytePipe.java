package dev.penstock.loader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Bytes from one thread, which puts blocks, to another, which reads; a few blocks lie between them.
 * Either waits for the other until {@link #giveUp} is called, by any thread.
 */
public final class BytePipe extends InputStream {
    /** Bytes that a block had better have. */
    public static final int BLOCK_BYTES = 1 << 18;

    /** Blocks between the threads: enough to bridge a hiccup on either side. */
    private static final int MAX_BLOCKS = 8;

    // Guarded by this.
    private final Queue<byte[]> blocks = new ArrayDeque<>();
    private boolean ended;
    private boolean givenUp;
    private @Nullable IOException failure;

    // Of the reading thread.
    private byte[] current = new byte[0];
    private int at;

    /** Makes every read, waiting or to come, fail, and every {@link #put} answer false. */
    public synchronized void giveUp() {
        givenUp = true;
        notifyAll();
    }

    /**
     * Hands over a block, which belongs to the reader from now on; waits while there are many.
     *
     * @return whether anybody wants more
     */
    public synchronized boolean put(byte[] block) throws IOException {
        while (blocks.size() >= MAX_BLOCKS && !givenUp) {
            await();
        }
        if (block.length > 0) {
            blocks.add(block);
        }
        notifyAll();
        return !givenUp;
    }

    /** Says that there is no more, and why, if that is a failure: the reader gets it. */
    public synchronized void end(@Nullable IOException cause) {
        failure = cause;
        ended = true;
        notifyAll();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (at == current.length) {
            byte[] next = take();
            if (next == null) {
                return -1;
            }
            current = next;
            at = 0;
        }
        int count = Math.min(length, current.length - at);
        System.arraycopy(current, at, target, offset, count);
        at += count;
        return count;
    }

    private synchronized byte @Nullable [] take() throws IOException {
        while (blocks.isEmpty() && !ended && !givenUp) {
            await();
        }
        if (givenUp) {
            throw new IOException("the input was given up");
        }
        byte[] block = blocks.poll();
        notifyAll();
        if (block == null && failure != null) {
            throw failure;
        }
        return block;
    }

    @SuppressWarnings("WaitNotInLoop") // callers loop
    private synchronized void await() throws IOException {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the transfer was interrupted", e);
        }
    }
}
