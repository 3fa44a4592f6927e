package dev.penstock.loader.file;

import dev.penstock.step.Deserialize;

import java.util.Arrays;

/**
 * The text of one chunk: whole records in {@code text()[from(), to())}, with padding after. Reused:
 * a thread owns one and has it filled again and again.
 */
public final class Chunk {
    private byte[] text = new byte[0];
    private int chunkId;
    private int source;
    private int from;
    private int to;
    private long position;

    public byte[] text() {
        return text;
    }

    public int chunkId() {
        return chunkId;
    }

    /** Index of the input. */
    public int source() {
        return source;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /** Position in the input of the byte at {@link #from}. */
    public long position() {
        return position;
    }

    public int length() {
        return to - from;
    }

    /** Makes room for {@code bytes} and the padding, keeping what is there. */
    byte[] ensure(long bytes) {
        long needed = bytes + Deserialize.PADDING;
        if (needed > Integer.MAX_VALUE - 64) {
            throw new IllegalStateException("a chunk would need " + bytes + " bytes");
        }
        if (text.length < needed) {
            text = Arrays.copyOf(text, (int) needed);
        }
        return text;
    }

    void set(int newChunkId, int newSource, int newFrom, int newTo, long newPosition) {
        chunkId = newChunkId;
        source = newSource;
        from = newFrom;
        to = newTo;
        position = newPosition;
    }
}
