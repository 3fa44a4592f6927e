package dev.penstock.kv.net;

import dev.penstock.bytes.ByteBuilder;

import io.netty.buffer.ByteBuf;

import org.jspecify.annotations.Nullable;

import java.nio.channels.FileChannel;

/**
 * A frame to be sent. The arrays, and the bytes of the file, must not change until the peer has
 * answered.
 *
 * @param head the frame's header and message
 * @param text the first part of the frame's bulk, if it comes from a file
 * @param bulk the rest of it is its first {@code bulkLength} bytes
 */
record OutboundFrame(ByteBuilder head, @Nullable FileText text, byte[] bulk, int bulkLength) {
    /** Bytes of a file. */
    record FileText(FileChannel file, long position, int length) {}

    /** A frame that is all in memory. */
    OutboundFrame(ByteBuilder head, byte[] bulk, int bulkLength) {
        this(head, null, bulk, bulkLength);
    }

    int length() {
        return head.length() + textLength() + bulkLength;
    }

    private int textLength() {
        return text == null ? 0 : text.length();
    }

    /** How many of the frame's bytes {@code [from, …)} come from the file, one after the other. */
    int bytesOfFile(int from) {
        return from < head.length() ? 0 : Math.max(0, head.length() + textLength() - from);
    }

    /** How many of the frame's bytes {@code [from, …)} are in memory, one after the other. */
    int bytesInMemory(int from) {
        return (text != null && from < head.length() ? head.length() : length()) - from;
    }

    /** Appends the frame's bytes {@code [from, from + count)}, which are in memory. */
    void copy(int from, int count, ByteBuf target) {
        int headCount = Math.clamp(head.length() - from, 0, count);
        if (headCount > 0) {
            target.writeBytes(head.array(), from, headCount);
        }
        if (headCount < count) {
            int at = from + headCount - head.length() - textLength();
            target.writeBytes(bulk, at, count - headCount);
        }
    }
}
