package dev.penstock.loader.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes taken from a stream; the count may be read by another thread. */
final class CountingStream extends FilterInputStream {
    private volatile long count;

    CountingStream(InputStream stream) {
        super(stream);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        if (value >= 0) {
            add(1);
        }
        return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int read = super.read(target, offset, length);
        if (read > 0) {
            add(read);
        }
        return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
        long skipped = super.skip(bytes);
        add(skipped);
        return skipped;
    }

    // Only one thread reads the stream, so the update needs no atomicity.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void add(long bytes) {
        count += bytes;
    }
}
