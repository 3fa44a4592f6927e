package dev.penstock.sampler;

import dev.penstock.sampler.probe.SampleSource;

/** A source in memory that counts what is read of it. */
final class TextSource implements SampleSource {
    private final byte[] text;
    private final boolean seekable;
    private long bytesRead;
    private long next;

    TextSource(byte[] text, boolean seekable) {
        this.text = text;
        this.seekable = seekable;
    }

    long bytesRead() {
        return bytesRead;
    }

    @Override
    public String name() {
        return "text";
    }

    @Override
    public long dataStart() {
        return 0;
    }

    @Override
    public long size() {
        return text.length;
    }

    @Override
    public boolean seekable() {
        return seekable;
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) {
        if (!seekable && position != next) {
            throw new IllegalStateException("read at " + position + " instead of " + next);
        }
        int read = (int) Math.max(0, Math.min(length, text.length - position));
        System.arraycopy(text, (int) position, target, offset, read);
        bytesRead += read;
        next = position + read;
        return read;
    }
}
