package dev.penstock.kv.net;

import dev.penstock.bytes.ByteBuilder;

import io.netty.buffer.ByteBuf;

/**
 * A frame to be sent. The arrays must not change until the peer has answered.
 *
 * @param head the frame's header and message
 * @param bulk the frame's bulk is its first {@code bulkLength} bytes
 */
record OutboundFrame(ByteBuilder head, byte[] bulk, int bulkLength) {
    int length() {
        return head.length() + bulkLength;
    }

    /** Appends the frame's bytes {@code [from, from + count)}. */
    void copy(int from, int count, ByteBuf target) {
        int headCount = Math.clamp(head.length() - from, 0, count);
        if (headCount > 0) {
            target.writeBytes(head.array(), from, headCount);
        }
        if (headCount < count) {
            target.writeBytes(bulk, from + headCount - head.length(), count - headCount);
        }
    }
}
