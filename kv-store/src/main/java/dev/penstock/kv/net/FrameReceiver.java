package dev.penstock.kv.net;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.UncaughtError;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.MessageType;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Takes the bytes of a connection apart into frames. After a frame's header each incoming byte is
 * copied once, straight into an array of its final size: the message's or the bulk's.
 *
 * <p>Runs on the connection's event loop. A frame that breaks the rules ends the connection before
 * anything is allocated for it.
 */
abstract class FrameReceiver extends ChannelInboundHandlerAdapter {
    private static final byte[] NONE = new byte[0];

    /** 64 KiB a second. */
    private static final long SLOWEST_BYTE_NANOS = 1_000_000_000L / (64 << 10);

    private final FrameWriter writer = new FrameWriter();

    private final byte[] header = new byte[Frame.HEADER_BYTES];
    private int headerBytes;

    private byte[] message = NONE;
    private byte[] bulk = NONE;
    private int messageLength;
    private int bulkLength;
    private int received;

    /** Buffers that came while a frame waits to be admitted, the first one in part read. */
    private final Deque<ByteBuf> parked = new ArrayDeque<>();

    private boolean paused;
    private long lastReadNanos = System.nanoTime();

    /** Since when the speed of the frame that is coming is measured, and what had come by then. */
    private long measuredSinceNanos;

    private int measuredFrom;

    /** The way out of the same connection. */
    final FrameWriter writer() {
        return writer;
    }

    /**
     * How long nothing has come, be it a part of a frame; while reading is stopped, nothing can.
     */
    final long silentNanos() {
        return System.nanoTime() - lastReadNanos;
    }

    /**
     * Whether a frame has begun and comes so slowly that what others could use is held for nothing.
     *
     * @param patienceNanos what it may take beside the time that its bytes take
     */
    final boolean trickles(long patienceNanos) {
        return headerBytes == Frame.HEADER_BYTES
                && System.nanoTime() - measuredSinceNanos
                        > patienceNanos + (received - measuredFrom) * SLOWEST_BYTE_NANOS;
    }

    private void measureAnew() {
        measuredSinceNanos = System.nanoTime();
        measuredFrom = received;
    }

    /** Most bytes that a frame may have now. */
    abstract int maxFrameBytes();

    /**
     * A frame's header is complete; its arrays come next. Called before they are allocated.
     *
     * @return false to read nothing more until {@link #resume}, which asks again
     * @throws PenstockException to end the connection
     */
    abstract boolean admit(ChannelHandlerContext context, MessageType type, int bytes);

    /** An array for so many bytes and {@link Frame#BULK_PADDING} more. */
    byte[] newBulk(int length) {
        return new byte[length + Frame.BULK_PADDING];
    }

    /** A frame is complete. Both arrays belong to the receiver; the bulk has padding behind it. */
    abstract void frame(
            ChannelHandlerContext context,
            MessageType type,
            long requestId,
            byte[] message,
            byte[] bulk,
            int bulkLength);

    /** The peer broke the protocol, or the connection broke; it is closed next. */
    abstract void broken(ChannelHandlerContext context, Throwable cause);

    @Override
    public final void channelRead(ChannelHandlerContext context, Object read) {
        lastReadNanos = System.nanoTime();
        ByteBuf buffer = (ByteBuf) read;
        if (!parked.isEmpty()) {
            parked.add(buffer);
            return;
        }
        if (!consume(context, buffer)) {
            parked.add(buffer);
            updateReading(context);
        }
    }

    /** Stops reading from the socket, or goes on; what has been read is still taken apart. */
    final void pause(ChannelHandlerContext context, boolean value) {
        paused = value;
        updateReading(context);
    }

    private void updateReading(ChannelHandlerContext context) {
        boolean reads = parked.isEmpty() && !paused;
        if (reads && !context.channel().config().isAutoRead()) {
            lastReadNanos = System.nanoTime();
            measureAnew();
        }
        context.channel().config().setAutoRead(reads);
    }

    /** Goes on after {@link #admit} has said no; on the event loop. */
    final void resume(ChannelHandlerContext context) {
        while (!parked.isEmpty()) {
            ByteBuf buffer = parked.getFirst();
            if (!consume(context, buffer)) {
                return;
            }
            parked.removeFirst();
        }
        updateReading(context);
    }

    @Override
    public final void handlerRemoved(ChannelHandlerContext context) {
        parked.forEach(ByteBuf::release);
        parked.clear();
    }

    /** Takes the buffer apart and releases it; false if it has to wait, in part unread. */
    private boolean consume(ChannelHandlerContext context, ByteBuf buffer) {
        boolean waits = false;
        try {
            while (buffer.isReadable() && !waits && context.channel().isActive()) {
                waits = !step(context, buffer);
            }
        } catch (RuntimeException | Error e) {
            // For want of memory too: what is thrown on from here would leave the buffer parked.
            exceptionCaught(context, e);
        } finally {
            if (!waits) {
                buffer.release();
            }
        }
        return !waits;
    }

    private boolean step(ChannelHandlerContext context, ByteBuf buffer) {
        if (headerBytes < Frame.HEADER_BYTES - 1) {
            // The header's last byte stays unread until the frame is admitted.
            int count = Math.min(Frame.HEADER_BYTES - 1 - headerBytes, buffer.readableBytes());
            buffer.readBytes(header, headerBytes, count);
            headerBytes += count;
            return true;
        }
        if (headerBytes == Frame.HEADER_BYTES - 1) {
            if (!begin(context)) {
                return false;
            }
            buffer.readBytes(header, headerBytes, 1);
            headerBytes++;
        } else {
            readBody(buffer);
        }
        if (received == messageLength + bulkLength) {
            deliver(context);
        }
        return true;
    }

    private boolean begin(ChannelHandlerContext context) {
        int length = ByteAccess.getInt(header, Frame.LENGTH);
        int bulkBytes = ByteAccess.getInt(header, Frame.BULK_LENGTH);
        Frame.check(length, bulkBytes, maxFrameBytes());
        if (!admit(context, MessageType.of(header[Frame.TYPE]), length)) {
            return false;
        }
        messageLength = length - bulkBytes;
        bulkLength = bulkBytes;
        received = 0;
        measureAnew();
        message = messageLength == 0 ? NONE : new byte[messageLength];
        bulk = bulkLength == 0 ? NONE : newBulk(bulkLength);
        return true;
    }

    private void readBody(ByteBuf buffer) {
        boolean inMessage = received < messageLength;
        int at = inMessage ? received : received - messageLength;
        int end = inMessage ? messageLength : bulkLength;
        int count = Math.min(end - at, buffer.readableBytes());
        buffer.readBytes(inMessage ? message : bulk, at, count);
        received += count;
    }

    private void deliver(ChannelHandlerContext context) {
        byte[] wholeMessage = message;
        byte[] wholeBulk = bulk;
        int wholeBulkLength = bulkLength;
        message = NONE;
        bulk = NONE;
        headerBytes = 0;
        received = 0;
        frame(
                context,
                MessageType.of(header[Frame.TYPE]),
                ByteAccess.getLong(header, Frame.REQUEST_ID),
                wholeMessage,
                wholeBulk,
                wholeBulkLength);
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        broken(context, cause);
        context.close();
    }

    /**
     * Does what is done every so often. If it fails the connection ends: it would not be done
     * again, and nobody would notice a peer that is gone.
     */
    final void orBreak(ChannelHandlerContext context, Runnable beat) {
        try {
            beat.run();
        } catch (RuntimeException | Error e) {
            UncaughtError.handOn(e);
            exceptionCaught(context, e);
        }
    }
}
