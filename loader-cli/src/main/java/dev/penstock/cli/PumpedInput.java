package dev.penstock.cli;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/**
 * An input that can be given up while a read waits: Java cannot interrupt a read of standard input,
 * and nobody knows whether the other end of a pipe will ever write again. A daemon thread, started
 * by the first read, reads ahead a few blocks; {@link #giveUp} ends all reads, the thread stays
 * behind.
 */
final class PumpedInput extends InputStream {
    private static final int BLOCK_BYTES = 1 << 18;

    /** Blocks read ahead: enough to bridge a hiccup on either side. */
    private static final int MAX_BLOCKS = 8;

    private final InputStream source;

    // Guarded by this.
    private final Queue<byte[]> blocks = new ArrayDeque<>();
    private boolean started;
    private boolean ended;
    private boolean givenUp;
    private @Nullable IOException failure;

    // Of the reading thread.
    private byte[] current = new byte[0];
    private int at;

    PumpedInput(InputStream source) {
        this.source = source;
    }

    /** Makes every read, waiting or to come, fail. */
    synchronized void giveUp() {
        givenUp = true;
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
        if (!started) {
            started = true;
            Thread pump = new Thread(this::pump, "standard-input");
            pump.setDaemon(true);
            pump.start();
        }
        while (blocks.isEmpty() && !ended && !givenUp) {
            await();
        }
        if (givenUp) {
            throw new IOException("the command was interrupted");
        }
        byte[] block = blocks.poll();
        notifyAll();
        if (block == null && failure != null) {
            throw failure;
        }
        return block;
    }

    private void pump() {
        try {
            byte[] buffer = new byte[BLOCK_BYTES];
            int count = source.read(buffer);
            while (count >= 0 && put(Arrays.copyOf(buffer, count))) {
                count = source.read(buffer);
            }
            end(null);
        } catch (IOException e) {
            end(e);
        }
    }

    /** Answers whether anybody wants more. */
    private synchronized boolean put(byte[] block) throws IOException {
        while (blocks.size() >= MAX_BLOCKS && !givenUp) {
            await();
        }
        if (block.length > 0) {
            blocks.add(block);
        }
        notifyAll();
        return !givenUp;
    }

    private synchronized void end(@Nullable IOException cause) {
        failure = cause;
        ended = true;
        notifyAll();
    }

    @SuppressWarnings("WaitNotInLoop") // callers loop
    private synchronized void await() throws IOException {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the read was interrupted", e);
        }
    }
}
