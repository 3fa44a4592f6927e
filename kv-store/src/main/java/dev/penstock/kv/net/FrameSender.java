package dev.penstock.kv.net;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.ReplyCodec;
import dev.penstock.kv.wire.Request;
import dev.penstock.kv.wire.RequestCodec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;

import java.util.function.Consumer;

/** Puts frames on a connection, from any thread. */
final class FrameSender {
    private static final byte[] NONE = new byte[0];

    /** Bytes of a bulk that are copied to the socket at a time. */
    private static final int SLICE_BYTES = 64 << 10;

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

    /**
     * Writes a frame; the arrays must not change until the peer has answered. A long bulk goes to
     * the socket slice by slice, so that each slice is still in the processor's cache when the
     * kernel copies it.
     */
    static ChannelFuture write(Channel channel, ByteBuilder frame, byte[] bulk, int bulkLength) {
        ByteBuf head = Unpooled.wrappedBuffer(frame.array(), 0, frame.length());
        if (bulkLength <= SLICE_BYTES) {
            return channel.writeAndFlush(
                    bulkLength == 0
                            ? head
                            : Unpooled.wrappedBuffer(
                                    head, Unpooled.wrappedBuffer(bulk, 0, bulkLength)));
        }
        ChannelPromise promise = channel.newPromise();
        channel.eventLoop().execute(() -> writeSlices(channel, head, bulk, bulkLength, promise));
        return promise;
    }

    /** On the event loop, so that no other frame gets between the slices. */
    private static void writeSlices(
            Channel channel, ByteBuf head, byte[] bulk, int bulkLength, ChannelPromise promise) {
        channel.write(head);
        int at = 0;
        while (bulkLength - at > SLICE_BYTES) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(bulk, at, SLICE_BYTES));
            at += SLICE_BYTES;
        }
        channel.writeAndFlush(Unpooled.wrappedBuffer(bulk, at, bulkLength - at), promise);
    }
}
