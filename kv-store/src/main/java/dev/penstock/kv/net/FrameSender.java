package dev.penstock.kv.net;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.ReplyCodec;
import dev.penstock.kv.wire.Request;
import dev.penstock.kv.wire.RequestCodec;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;

import java.util.function.Consumer;

/** Puts frames on a connection, from any thread. */
final class FrameSender {
    private static final byte[] NONE = new byte[0];

    /**
     * A frame that cannot be written, for want of memory, would be lost while its connection lives
     * on, and whoever waits for the answer would do so until the deadline: the connection ends.
     */
    private static final ChannelFutureListener NOTHING_IS_LOST =
            write -> {
                if (!write.isSuccess() && write.channel().isActive()) {
                    write.channel().pipeline().fireExceptionCaught(write.cause());
                }
            };

    private FrameSender() {}

    /** A request without bulk, ready to be written. */
    static ByteBuilder frame(Request request, long requestId, int bulkLength) {
        return frame(
                RequestCodec.typeOf(request),
                requestId,
                bulkLength,
                out -> RequestCodec.put(request, out));
    }

    static ByteBuilder frame(Reply reply, long requestId) {
        return frame(ReplyCodec.typeOf(reply), requestId, 0, out -> ReplyCodec.put(reply, out));
    }

    /**
     * Header and message of a frame.
     *
     * @throws PenstockException if the frame would be longer than frames may be
     */
    static ByteBuilder frame(
            MessageType type, long requestId, int bulkLength, Consumer<ByteBuilder> message) {
        ByteBuilder out = new ByteBuilder(256);
        out.reserve(Frame.HEADER_BYTES);
        out.setLength(Frame.HEADER_BYTES);
        message.accept(out);
        int messageLength = out.length() - Frame.HEADER_BYTES;
        if ((long) messageLength + bulkLength > Frame.MAX_BYTES) {
            throw PenstockException.usage(
                    "a message of "
                            + ((long) messageLength + bulkLength)
                            + " bytes is too large to travel; "
                            + Frame.MAX_BYTES
                            + " is the most");
        }
        Frame.putHeader(out.array(), 0, messageLength, bulkLength, type.code(), requestId);
        return out;
    }

    static ChannelFuture write(Channel channel, ByteBuilder frame) {
        return write(channel, frame, NONE, 0);
    }

    /** Writes a frame; the arrays must not change until the peer has answered. */
    static ChannelFuture write(Channel channel, ByteBuilder frame, byte[] bulk, int bulkLength) {
        return write(channel, new OutboundFrame(frame, bulk, bulkLength));
    }

    static ChannelFuture write(Channel channel, OutboundFrame frame) {
        return channel.writeAndFlush(frame).addListener(NOTHING_IS_LOST);
    }
}
