package dev.penstock.it.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The input of a load, in the hands of a test: it goes on as the test gives it, and does not end
 * before the test says so. Giving never waits, whatever became of the load.
 */
final class Feed extends InputStream {
    private static final byte[] END = new byte[0];

    private final LinkedBlockingQueue<byte[]> given = new LinkedBlockingQueue<>();

    // Of the reading thread.
    private byte[] current = new byte[0];
    private int at;
    private boolean ended;

    void give(byte[] bytes) {
        if (bytes.length > 0) {
            given.add(bytes);
        }
    }

    void end() {
        given.add(END);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (at == current.length && !ended) {
            try {
                current = given.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            at = 0;
            ended = current.length == 0;
        }
        if (ended) {
            return -1;
        }
        int count = Math.min(length, current.length - at);
        System.arraycopy(current, at, target, offset, count);
        at += count;
        return count;
    }
}
