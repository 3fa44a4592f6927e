package dev.penstock.bytes;

/** Where bytes are appended: a file, a socket buffer or memory. Not thread-safe. */
public interface ByteSink {
    /** Appends {@code length} bytes; the sink keeps no reference to the array. */
    void write(byte[] bytes, int offset, int length);

    /** Bytes appended so far. */
    long position();
}
